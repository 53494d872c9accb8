import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { RandomBytes } from './ids.ts';

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks 1.0 asks for 24 to 64 bytes. */
const SECRET_BYTES = 24;
const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type WebhookToSign = {
  /** Every secret that is valid now, the newest first: while one is being rotated there are two. */
  secrets: readonly string[];
  /** The run's public id: the same on every attempt. */
  id: string;
  /** Seconds since the epoch, of this attempt. */
  timestamp: number;
  /** The exact text that is sent. */
  body: string;
};

type WebhookSignatureHeaders = {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

/** A new signing secret: `whsec_` and the base64 of 24 random bytes (docs/specification.md, "Webhook signatures"). */
export function createWebhookSecret(random: RandomBytes = randomBytes): string {
  return SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');
}

/**
 * The three headers of Standard Webhooks 1.0: HMAC-SHA256 of `id.timestamp.body`, one `v1,` signature for
 * each secret.
 * @throws TypeError for no secret, a malformed one, an id with a full stop, or a timestamp that is not whole
 * seconds: bugs.
 */
export function signWebhook(webhook: WebhookToSign): WebhookSignatureHeaders {
  if (webhook.secrets.length === 0) throw new TypeError('signWebhook wants at least one secret');
  if (!Number.isSafeInteger(webhook.timestamp)) throw new TypeError('signWebhook wants whole seconds');
  // The full stop parts what is signed: an id that has one could be read as another id and timestamp.
  if (webhook.id.includes('.')) throw new TypeError('signWebhook wants an id without a full stop');
  const signed = `${webhook.id}.${webhook.timestamp}.${webhook.body}`;
  return {
    'webhook-id': webhook.id,
    'webhook-timestamp': String(webhook.timestamp),
    'webhook-signature': webhook.secrets.map((secret) => `v1,${sign(secret, signed)}`).join(' '),
  };
}

function sign(secret: string, signed: string): string {
  if (!SECRET.test(secret)) throw new TypeError('signWebhook wants secrets of the form whsec_<base64>');
  // Node.js 24 takes 13 µs more for a key in bytes.
  const key = createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(signed, 'utf8').digest('base64');
}
