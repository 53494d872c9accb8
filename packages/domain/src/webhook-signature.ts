import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { RandomBytes } from './ids.ts';

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks 1.0 requires 24 to 64 bytes. */
const SECRET_BYTES = 24;
const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type WebhookToSign = {
  /** All valid secrets, the newest first: two during a rotation. Do not mutate the list: its keys are cached. */
  secrets: readonly string[];
  /** The run's public id: the same on every attempt. */
  id: string;
  /** The time of this attempt, in seconds since the epoch. */
  timestamp: number;
  /** The exact request body. */
  body: string;
};

/** Whether `text` is a secret of Standard Webhooks: `whsec_` and base64. */
export const isWebhookSecret = (text: string): boolean => SECRET.test(text);

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
 * Creates the three headers of Standard Webhooks 1.0: HMAC-SHA256 of `id.timestamp.body`, with one `v1,` signature per
 * secret.
 * @throws TypeError for a missing or malformed secret, an id with a full stop, or a timestamp that is not whole
 * seconds: all are bugs
 */
export function signWebhook(webhook: WebhookToSign): WebhookSignatureHeaders {
  if (webhook.secrets.length === 0) throw new TypeError('signWebhook needs at least one secret');
  if (!Number.isSafeInteger(webhook.timestamp)) throw new TypeError('signWebhook needs whole seconds');
  // A full stop separates the signed parts, so an id with one could be read as another id and timestamp.
  if (webhook.id.includes('.')) throw new TypeError('signWebhook needs an id without a full stop');
  const signed = `${webhook.id}.${webhook.timestamp}.${webhook.body}`;
  return {
    'webhook-id': webhook.id,
    'webhook-timestamp': String(webhook.timestamp),
    'webhook-signature': webhook.secrets.map((secret) => `v1,${sign(keyOf(secret), signed)}`).join(' '),
  };
}

function keyOf(secret: string): KeyObject {
  if (!SECRET.test(secret)) throw new TypeError('signWebhook needs secrets of the form whsec_<base64>');
  // With raw bytes Node.js 24 takes 13 µs more for each signature.
  return createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64');
}

const sign = (key: KeyObject, signed: string): string =>
  createHmac('sha256', key).update(signed, 'utf8').digest('base64');
