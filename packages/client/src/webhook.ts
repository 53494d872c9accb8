import { Webhook } from 'standardwebhooks';
import type { DeliveryWebhook } from './types.ts';

export { WebhookVerificationError } from 'standardwebhooks';

/** A request as an endpoint gets it. */
export interface ReceivedWebhook {
  /** The bytes or the text as they came: parsed and printed again they have another signature. */
  readonly body: string | Uint8Array;
  /** Of the Fetch API or of Node's http. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface VerifiedWebhook<Body> {
  /**
   * `webhook-id`: the delivery run, the same on every attempt. Drop what has an id that you have dealt with.
   */
  readonly id: string;
  /** When this attempt was signed. */
  readonly signedAt: Date;
  readonly body: Body;
}

const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function signedHeaders({ headers }: ReceivedWebhook): Record<(typeof SIGNED_HEADERS)[number], string> {
  const read = (name: string) => (headers instanceof Headers ? headers.get(name) : headers[name]);
  const entries = SIGNED_HEADERS.map((name) => [name, [read(name) ?? ''].flat().join(' ')]);
  return Object.fromEntries(entries);
}

/**
 * Checks that a webhook comes from this installation and is not older than 5 minutes (Standard Webhooks 1.0,
 * by its own library), and reads it. `Body` is what the channel's template makes; without a template it is
 * {@link DeliveryWebhook}. Throws WebhookVerificationError when the signature, the time or a header is wrong:
 * answer 400 then.
 *
 * @param secret the channel's, `whsec_…`. While it is being rotated, the old one and the new one are both
 * right.
 */
export function verifyWebhook<Body = DeliveryWebhook>(
  received: ReceivedWebhook,
  secret: string,
): VerifiedWebhook<Body> {
  const headers = signedHeaders(received);
  const text = typeof received.body === 'string' ? received.body : new TextDecoder().decode(received.body);
  const body = new Webhook(secret).verify(text, headers) as Body;
  return {
    id: headers['webhook-id'],
    signedAt: new Date(Number(headers['webhook-timestamp']) * 1_000),
    body,
  };
}
