import { createHmac, createSign, type KeyObject } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** What a provider posts, as it signs it. */
export interface Signed {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

interface Signing<Key> {
  /** Since the epoch. */
  readonly seconds: number;
  readonly key: Key;
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** The signed event webhook of SendGrid: ECDSA over the time and the body. */
export function signSendgrid(body: Buffer, { seconds, key }: Signing<KeyObject>): Signed {
  const signature = createSign('sha256').update(`${seconds}`).update(body).sign(key, 'base64');
  const headers = {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': String(seconds),
  };
  return { body, headers };
}

/** A webhook of Mailgun: HMAC over the time and a token, beside the event. */
export function signMailgun(event: object, { seconds, key }: Signing<string>): Signed {
  const [timestamp, token] = [String(seconds), 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0'];
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  return { body: json({ signature: { timestamp, token, signature }, 'event-data': event }), headers: {} };
}

export const MESSAGE_ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';

/** A webhook of Resend: Standard Webhooks, with headers of the service that sends it, and a signature of another key. */
export function signResend(
  event: object,
  { seconds, key, id = MESSAGE_ID }: Signing<string> & { readonly id?: string },
): Signed {
  const body = json(event);
  const signature = new Webhook(key).sign(id, new Date(seconds * 1_000), body.toString());
  const headers = {
    'svix-id': id,
    'svix-timestamp': String(seconds),
    'svix-signature': `v1,AAAA ${signature}`,
  };
  return { body, headers };
}

/** Basic authentication with `name:password`. */
export const basic = (text: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});
