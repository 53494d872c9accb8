import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { createWebhookSecret, signWebhook } from '../src/index.ts';

const ID = 'run_01h455vb4pex5vsknk084sn02q';
const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe('a webhook signature', () => {
  it('matches the Standard Webhooks test vector', () => {
    const headers = signWebhook({
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
    });
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is verified by the published library, for any JSON body', () => {
    const secret = createWebhookSecret();
    fc.assert(
      fc.property(fc.json(), (body) => {
        const headers = signWebhook({ secrets: [secret], id: ID, timestamp: nowSeconds(), body });
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      }),
    );
  });

  it('is verified with either secret during a rotation, and with no other', () => {
    const [newer, older] = [createWebhookSecret(), createWebhookSecret()];
    const headers = signWebhook({ secrets: [newer, older], id: ID, timestamp: nowSeconds(), body: '{}' });
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of [newer, older]) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
    expect(() => new Webhook(createWebhookSecret()).verify('{}', headers)).toThrow();
  });

  it.each(['body', 'webhook-id', 'webhook-timestamp'])('is not valid for another %s', (changed) => {
    const secret = createWebhookSecret();
    const headers = signWebhook({ secrets: [secret], id: ID, timestamp: nowSeconds(), body: '{}' });
    const sent = {
      ...headers,
      [changed]: changed === 'webhook-timestamp' ? String(nowSeconds() - 1) : 'other',
    };
    expect(() => new Webhook(secret).verify(changed === 'body' ? '{"a":1}' : '{}', sent)).toThrow();
  });

  it.each([
    ['no secret', { secrets: [] }],
    ['a secret without its prefix', { secrets: ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }],
    ['a secret that is not base64', { secrets: ['whsec_not base64!'] }],
    ['an empty secret', { secrets: ['whsec_'] }],
    ['a fraction of a second', { timestamp: 1.5 }],
    ['an id with a full stop', { id: 'run.1' }],
  ])('cannot be created with %s', (_, issue) => {
    const sound = { secrets: [createWebhookSecret()], id: ID, timestamp: 1, body: '{}' };
    expect(() => signWebhook({ ...sound, ...issue })).toThrow(TypeError);
  });
});

describe('a webhook secret', () => {
  it('is whsec_ and the base64 of 24 bytes', () => {
    expect(createWebhookSecret((size) => new Uint8Array(size))).toBe(`whsec_${'A'.repeat(32)}`);
    expect(createWebhookSecret()).not.toBe(createWebhookSecret());
  });
});
