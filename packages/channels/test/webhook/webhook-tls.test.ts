import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { status } from '@postrider/rig';
import { FROM_SOURCES, startTlsFront, TLS_FRONT_CERTIFICATE } from '@postrider/rig/servers';
import { expect, it } from '@postrider/testing';
import { webhookDelivery } from '../support/delivery.ts';
import { describeWithEachClient } from '../support/webhook-clients.ts';

const SENDER = new URL('../../src/webhook/sender.ts', import.meta.url).href;
const DELIVERY = new URL('../support/delivery.ts', import.meta.url).href;

describeWithEachClient(({ httpClient, receiver, channel }) => {
  const openFront = () => startTlsFront(receiver().endpoint('/tls', status(200)));
  const overTls = (url: string) => url.replace(/^http:/, 'https:');

  it('is not sent to an endpoint with an untrusted certificate', async () => {
    const front = await openFront();
    expect(await channel().send(webhookDelivery({ url: overTls(front.url) }))).toMatchObject({
      status: 'failed',
      error: { code: 'webhook_tls_failed' },
    });
    expect(receiver().received('/tls')).toEqual([]);
    front.close();
  });

  it('is sent over TLS with a trusted certificate, twice on one connection', async () => {
    const front = await openFront();
    const script = `
      const { createWebhookSender } = await import(${JSON.stringify(SENDER)});
      const { loopbackAllowed, webhookDelivery } = await import(${JSON.stringify(DELIVERY)});
      const sender = createWebhookSender({ isAddressAllowed: loopbackAllowed, httpClient: '${httpClient}' });
      const url = ${JSON.stringify(overTls(front.url))};
      for (let count = 0; count < 2; count += 1) console.log((await sender.send(webhookDelivery({ url }))).status);
      sender.close();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...FROM_SOURCES, '--input-type=module', '--eval', script],
      { env: { ...process.env, NODE_OPTIONS: '', NODE_EXTRA_CA_CERTS: TLS_FRONT_CERTIFICATE } },
    );
    expect(stdout.trim().split('\n')).toEqual(['succeeded', 'succeeded']);
    expect(receiver().received('/tls')).toHaveLength(2);
    front.close();
  });
});
