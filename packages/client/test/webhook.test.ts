import { verifyWebhook, WebhookVerificationError } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { Webhook } from 'standardwebhooks';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const RUN = 'run_01kb2t5rwhffh8rkc5f0m1ek9r';
const BODY = JSON.stringify({
  type: 'order.shipped',
  timestamp: '2026-11-21T09:30:00.017Z',
  data: { message_id: 'msg_1', delivery_run_id: RUN, recipient: {}, payload: { name: 'Žofie' } },
});

function signed({ body = BODY, at = new Date(), secrets = [SECRET] } = {}) {
  return {
    'webhook-id': RUN,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(RUN, at, body)).join(' '),
  };
}

describe('a webhook', () => {
  it.each([
    ['text and headers of Node’s http', BODY, signed()],
    ['bytes and Headers', new TextEncoder().encode(BODY), new Headers(signed())],
  ])('is read if its signature is valid: %s', (_, body, headers) => {
    const { id, signedAt, body: event } = verifyWebhook({ body, headers }, SECRET);

    expect(id).toBe(RUN);
    expect(Math.abs(signedAt.getTime() - Date.now())).toBeLessThan(300_000);
    expect(event.type).toBe('order.shipped');
    expect(event.data.payload).toEqual({ name: 'Žofie' });
  });

  it('is read with the old or the new secret during a rotation', () => {
    const headers = signed({ secrets: [SECRET, OLD_SECRET] });

    for (const secret of [SECRET, OLD_SECRET])
      expect(verifyWebhook({ body: BODY, headers }, secret).id).toBe(RUN);
  });

  it.each([
    ['another body', { body: BODY.replace('shipped', 'lost'), headers: signed() }],
    ['another secret', { body: BODY, headers: signed({ secrets: [OLD_SECRET] }) }],
    ['an old signature', { body: BODY, headers: signed({ at: new Date(Date.now() - 301_000) }) }],
    ['a missing header', { body: BODY, headers: { ...signed(), 'webhook-id': undefined } }],
  ])('is refused with %s', (_, received) => {
    expect(() => verifyWebhook(received, SECRET)).toThrow(WebhookVerificationError);
  });
});
