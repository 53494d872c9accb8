import { Webhook } from 'standardwebhooks';
import type { DeliveryWebhook } from './types.ts';

export { WebhookVerificationError } from 'standardwebhooks';

/** A request that an endpoint received. */
export interface ReceivedWebhook {
  /** The unchanged bytes or text. JSON that was parsed and formatted again has another signature. */
  readonly body: string | Uint8Array;
  /** Headers of the Fetch API or of Node's http. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface VerifiedWebhook<Body> {
  /**
   * `webhook-id`: the delivery run, the same on every attempt. Drop requests with an id that you have already
   * processed.
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
 * Verifies that a webhook comes from this installation and is at most 5 minutes old (Standard Webhooks 1.0, with its
 * official library), and parses it. `Body` is the output of the channel's template; without one it is
 * {@link DeliveryWebhook}. Throws WebhookVerificationError if the signature, the time or a header is invalid: respond
 * with 400 in that case.
 *
 * @param secret the channel's secret, `whsec_…`. During a rotation the old and the new one are both valid.
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
