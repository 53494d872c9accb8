import { createAddressPolicy, createWebhookSecret } from '@postrider/domain';
import { status } from '@postrider/rig';
import { afterAll, describe, expect, it } from '@postrider/testing';
import { Webhook } from 'standardwebhooks';
import { createWebhookSender } from '../../src/webhook/sender.ts';
import { loopbackAllowed, RUN_ID, webhookDelivery } from '../support/delivery.ts';
import { describeWithEachClient } from '../support/webhook-clients.ts';

describeWithEachClient(({ httpClient, receiver, channel }) => {
  describe('the addresses that a webhook may reach', () => {
    const strict = createWebhookSender({ isAddressAllowed: createAddressPolicy([]), httpClient });
    afterAll(() => strict.close());

    it.each([
      'http://127.0.0.1/',
      'http://0x7f.1/',
      'http://2130706433/',
      'http://0177.0.0.1/',
      'http://127.0.0.1./',
      'http://localhost/',
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://168.63.129.16/',
      'http://100.64.0.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::127.0.0.1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[2002:7f00:1::]/',
      'http://[fe80::1]/',
      'http://[fd00::1]/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'http://user:password@example.com/',
      'no url',
    ])('do not include %s', async (url) => {
      expect(await strict.send(webhookDelivery({ url }))).toMatchObject({
        status: 'failed',
        error: { code: 'webhook_address_blocked', retryable: false },
      });
    });

    it('do not include a name of which one address is refused', async () => {
      const mixed = createWebhookSender({
        httpClient,
        isAddressAllowed: createAddressPolicy([]),
        resolve: async () => [
          { address: '93.184.216.34', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ],
      });
      expect(await mixed.send(webhookDelivery({ url: 'http://rebound.example/' }))).toMatchObject({
        error: { code: 'webhook_address_blocked' },
      });
    });

    it('are resolved once: the checked address is the one that is connected to', async () => {
      let lookups = 0;
      receiver().endpoint('/once', status(200));
      const rebinding = createWebhookSender({
        httpClient,
        isAddressAllowed: loopbackAllowed,
        async resolve() {
          lookups += 1;
          return [{ address: lookups === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
        },
      });
      const url = `http://rebound.example:${receiver().port}/once`;
      expect(await rebinding.send(webhookDelivery({ url }))).toMatchObject({ status: 'succeeded' });
      expect(lookups).toBe(1);
      rebinding.close();
    });
  });

  describe('a webhook request', () => {
    it('is signed with the current and the previous secret', async () => {
      const secrets = [createWebhookSecret(), createWebhookSecret()];
      const url = receiver().endpoint('/signed', status(200));
      await channel().send(webhookDelivery({ url }, { secrets, content: { body: '{"a":"ü"}' } }));
      const [request] = receiver().received('/signed');
      expect(request).toMatchObject({ method: 'POST', body: '{"a":"ü"}' });
      expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': RUN_ID });
      for (const secret of secrets) {
        const verified = new Webhook(secret).verify('{"a":"ü"}', request?.headers as Record<string, string>);
        expect(verified).toEqual({ a: 'ü' });
      }
    });

    it("has the channel's own headers, which cannot replace what is signed or frames the request", async () => {
      const url = receiver().endpoint('/headers', status(200));
      const headers = {
        Authorization: 'Bearer shared',
        'Webhook-Id': 'forged',
        Host: 'elsewhere.example',
        'Content-Length': '1',
        'Transfer-Encoding': 'chunked',
      };
      expect(await channel().send(webhookDelivery({ url, headers }))).toMatchObject({ status: 'succeeded' });
      const [request] = receiver().received('/headers');
      expect(request?.headers).toMatchObject({
        authorization: 'Bearer shared',
        'webhook-id': RUN_ID,
        host: `127.0.0.1:${receiver().port}`,
      });
      expect(request?.headers).not.toHaveProperty('transfer-encoding');
    });

    it('does not use a proxy of the environment variables', async () => {
      const proxy = receiver().endpoint('/proxy', status(200));
      process.env.HTTP_PROXY = proxy;
      process.env.http_proxy = proxy;
      const url = receiver().endpoint('/direct', status(200));
      await channel().send(webhookDelivery({ url }));
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
      expect(receiver().received('/direct')).toHaveLength(1);
    });
  });
});
