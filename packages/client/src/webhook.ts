import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { DeliveryWebhook } from './types.ts';

export { WebhookVerificationError } from 'standardwebhooks';

/** A request that an endpoint received. */
export interface ReceivedWebhook {
  /** The unchanged bytes or text. JSON that was parsed and formatted again has another signature. */
  readonly body: string | Uint8Array;
  /** Headers of the Fetch API or of Node's http, or an object with names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * What verifies a signature: the channel's secret (`whsec_…`) for `v1`, or for `v1a` a public key, as an entry of `keys` in the
 * channel's JWKS or as `whpk_…`.
 */
export type WebhookKey =
  | string
  | { readonly kty: string; readonly crv?: string | undefined; readonly x?: string | undefined };

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
type SignedHeaders = Record<(typeof SIGNED_HEADERS)[number], string>;

const PUBLIC_KEY_PREFIX = 'whpk_';
const SECRET_PREFIX = /^whsec_/;
const TOLERANCE_SECONDS = 300;

/** By its method: undici, node-fetch and jsdom have classes of their own. */
function isFetchHeaders(headers: ReceivedWebhook['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

/** Reads headers by their names in lower case. Proxies and gateways capitalise them. */
function headerReader(headers: ReceivedWebhook['headers']) {
  if (isFetchHeaders(headers)) return (name: string) => headers.get(name);
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name: string) => byName.get(name);
}

function signedHeaders({ headers }: ReceivedWebhook): SignedHeaders {
  const read = headerReader(headers);
  const entries = SIGNED_HEADERS.map((name) => [name, [read(name) ?? ''].flat().join(' ')]);
  return Object.fromEntries(entries);
}

/** The signed text. Throws TypeError for a body that a framework has parsed. */
function signedText(body: ReceivedWebhook['body']): string {
  if (typeof body === 'string') return body;
  if (typeof body?.byteLength !== 'number')
    throw new TypeError(
      'verify the unchanged bytes or text of the body: one that a framework has parsed has a different signature',
    );
  return new TextDecoder().decode(body);
}

type NodeCrypto = typeof import('node:crypto');

/** Not imported, so that bundles for browsers can contain this module: no synchronous ed25519 exists there. */
function nodeCrypto(): NodeCrypto {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const crypto = process?.getBuiltinModule?.('node:crypto');
  if (!crypto) throw new Error('v1a signatures can only be verified in Node.js 20.16 or newer');
  return crypto as NodeCrypto;
}

function publicKey({ createPublicKey }: NodeCrypto, key: WebhookKey) {
  if (typeof key !== 'string')
    return createPublicKey({ key: key as Readonly<Record<string, string>>, format: 'jwk' });
  const x = key.slice(PUBLIC_KEY_PREFIX.length).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Verifies that one of the `v1a` signatures is from the key. Throws WebhookVerificationError, as the library does for `v1`. */
function verifyAsymmetrically(text: string, headers: SignedHeaders, key: WebhookKey): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('Missing required headers');
  const ageSeconds = Math.floor(Date.now() / 1_000) - Number(timestamp);
  if (!/^\d+$/.test(timestamp)) throw new WebhookVerificationError('Invalid Signature Headers');
  if (ageSeconds > TOLERANCE_SECONDS) throw new WebhookVerificationError('Message timestamp too old');
  if (ageSeconds < -TOLERANCE_SECONDS) throw new WebhookVerificationError('Message timestamp too new');
  const crypto = nodeCrypto();
  const verifier = publicKey(crypto, key);
  if (verifier.asymmetricKeyType !== 'ed25519') throw new TypeError('v1a needs an ed25519 key');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const isValid = signatures.split(' ').some((signature) => {
    const [version, base64 = ''] = signature.split(',');
    return version === 'v1a' && crypto.verify(null, signed, verifier, Buffer.from(base64, 'base64'));
  });
  if (!isValid) throw new WebhookVerificationError('No matching signature found');
}

/** The library, for a secret. Throws TypeError for one that is empty, with which anybody could sign. */
function webhookOf(secret: string): Webhook {
  if (secret.replace(SECRET_PREFIX, '') === '') throw new TypeError('the secret is empty');
  return new Webhook(secret);
}

/**
 * Verifies that a webhook comes from this installation and is at most 5 minutes old (Standard Webhooks 1.0, `v1` with its
 * official library), and parses it. `Body` is the output of the channel's template; without one it is
 * {@link DeliveryWebhook}. Throws WebhookVerificationError if the signature, the time or a header is invalid: respond
 * with 400 in that case. Throws TypeError for a parsed body, and for no or an empty key.
 *
 * @param keys one key or several. One must match: during a rotation the old and the new one are both valid
 */
export function verifyWebhook<Body = DeliveryWebhook>(
  received: ReceivedWebhook,
  keys: WebhookKey | readonly WebhookKey[],
): VerifiedWebhook<Body> {
  const headers = signedHeaders(received);
  const text = signedText(received.body);
  let failure: WebhookVerificationError | undefined;
  // A caller in JavaScript can pass undefined, such as an environment variable that is not set.
  const given = ([keys].flat() as (WebhookKey | undefined)[]).filter((key) => key !== undefined);
  for (const key of given) {
    try {
      if (typeof key === 'string' && !key.startsWith(PUBLIC_KEY_PREFIX)) webhookOf(key).verify(text, headers);
      else verifyAsymmetrically(text, headers, key);
      return {
        id: headers['webhook-id'],
        signedAt: new Date(Number(headers['webhook-timestamp']) * 1_000),
        body: (text === '' ? undefined : JSON.parse(text)) as Body,
      };
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      failure = error;
    }
  }
  throw failure ?? new TypeError('a webhook cannot be verified without a key');
}
