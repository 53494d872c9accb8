import { createChannelRegistry, createEmailKind, EMAIL_PROVIDERS, webhookKind } from '@postrider/channels';
import { startHttpReceiver, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { httpMailProvider } from '../../../packages/channels/test/own-kind/providers/http-mail.ts';
import { smsKind } from '../../../packages/channels/test/own-kind/sms/index.ts';
import { createOpenApiDocument } from '../../api/src/openapi/document.ts';
import { RESOURCES, resourcesOf } from '../../api/src/resources.ts';
import { type KindsService, startKindsService } from './support/service.ts';

/** The kinds of the service, with one more kind and one more provider. */
const kinds = createChannelRegistry([
  webhookKind,
  createEmailKind([...EMAIL_PROVIDERS, httpMailProvider]),
  smsKind,
]);

interface Taken {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

const taken: Taken[] = [];
let gateway: Awaited<ReturnType<typeof startHttpReceiver>>;
let service: KindsService;

beforeAll(async () => {
  gateway = await startHttpReceiver(({ path, headers, body }, response) => {
    taken.push({ path, authorization: headers.authorization, body: JSON.parse(body) });
    response.writeHead(202).end();
  });
  service = await startKindsService(kinds);
});
afterAll(async () => {
  await service.close();
  await gateway.close();
});

const postrider: KindsService['postrider'] = (args, env) => service.postrider(args, env);

async function createChannel(args: readonly string[], env: Record<string, string>) {
  const environment = await service.createEnvironment();
  const named = ['--environment', environment.id, '--name', 'own'];
  return { environment, channel: await postrider(['channels', ...args, ...named], env) };
}

describe('a kind of channel from a folder of its own', () => {
  it('is set up on the command line, and delivers an event', async () => {
    const { environment, channel } = await createChannel(
      ['create-sms', '--gateway', `${gateway.url}/sms`, '--sender', 'Shop', '--key-from', 'env'],
      { SMS_KEY: 'the-key' },
    );
    const shown = { gateway: `${gateway.url}/sms`, sender: 'Shop' };
    expect(channel).toMatchObject({ kind: 'sms', config: shown, credentials_set: ['key'], secret: null });
    const forEvent = ['--environment', environment.id, '--event-key', 'order.shipped'];
    const template = await postrider([
      'templates',
      'create-sms',
      ...forEvent,
      '--text',
      'Order {{ payload.id }} is on its way, {{ recipient.name }}',
    ]);
    const payload = '{"id":"A-1"}';
    const preview = await postrider(['templates', 'preview', template.id, '--payload', payload]);
    expect(preview.rendered).toEqual({ text: 'Order A-1 is on its way, Ada Lovelace' });

    const send = (recipient: object) =>
      service.call(environment, '/api/v1/events', {
        event_key: 'order.shipped',
        recipient,
        payload: { id: 'A-1' },
      });
    const refused = await send({ name: 'Ada' });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { details: [{ path: '/recipient/phone', code: 'required' }] } },
    ]);
    expect((await send({ name: 'Ada', phone: '+4912345' })).status).toBe(201);
    await waitFor('the text message', () => taken.some(({ path }) => path === '/sms'));
    expect(taken.find(({ path }) => path === '/sms')).toEqual({
      path: '/sms',
      authorization: 'Bearer the-key',
      body: { to: '+4912345', text: 'Order A-1 is on its way, Ada' },
    });
    const found = ['messages', 'search', '--environment', environment.id, '--channel-kind', 'sms'];
    await waitFor('the run to succeed', async () => {
      const { data } = await postrider([...found, '--run-status', 'succeeded']);
      return data.length === 1;
    });
  });

  it('is in the OpenAPI document', () => {
    const text = JSON.stringify(createOpenApiDocument(resourcesOf(kinds)));
    for (const part of ['SmsChannel', 'sms_rejected', '"enum":["email","sms","webhook"]']) {
      expect(text).toContain(part);
    }
    expect(JSON.stringify(createOpenApiDocument(RESOURCES))).not.toContain('sms');
  });
});

describe('an email provider from a file of its own', () => {
  it('is set up on the command line, and sends a mail', async () => {
    const { channel } = await createChannel(
      [
        'create-email',
        '--mail-endpoint',
        `${gateway.url}/mail`,
        '--mail-token-from',
        'env',
        '--from-email',
        'shop@example.com',
      ],
      { MAIL_TOKEN: 'the-token' },
    );
    expect(channel).toMatchObject({
      kind: 'email',
      config: { http_mail: { endpoint: `${gateway.url}/mail` } },
      credentials_set: ['senders/http_mail/token'],
    });
    await postrider(['channels', 'test', channel.id, '--to', 'ada@example.com']);
    await waitFor('the mail', () => taken.some(({ path }) => path === '/mail'));
    expect(taken.find(({ path }) => path === '/mail')).toMatchObject({
      authorization: 'Bearer the-token',
      body: { from: { email: 'shop@example.com' }, to: { email: 'ada@example.com' } },
    });
  });
});
