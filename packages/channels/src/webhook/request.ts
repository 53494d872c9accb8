import { createHmac } from 'node:crypto';
import { createWebhookSecret, KIND_FACTS, parseTraceparent, signWebhook } from '@postrider/domain';
import { PRIVATE_KEY } from '../certificates.ts';
import type { PreviewedRun } from '../channel.ts';
import type { JsonContent } from '../json-template.ts';
import { type Delivery, type HeaderList, MASKED, maskHeaders } from '../sender.ts';
import { bodyHeaders, contentTypeOf } from './bodies.ts';
import type { WebhookConfig } from './config.ts';
import type { WebhookSignature } from './signature-schema.ts';
import { createSigningKey, signAsymmetrically } from './signing-keys.ts';

/** The URL of a channel whose deliveries a command line takes and posts on its own machine. */
const LISTENER_URL = /^listen:\/\/[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whether the deliveries of a channel with this URL are taken by a listener, see `postrider listen`. */
export const isListenerUrl = (url: string): boolean => LISTENER_URL.test(url);

/** Parses a URL that may be called. Null for other schemes and for URLs with credentials. */
export function parseWebhookUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' ? url : null;
}

/** Marks a test send, independent of what the template says. */
export const TEST_WEBHOOK_HEADER = 'postrider-test';
/** The sequence number of an ordered run within its key. */
export const SEQUENCE_WEBHOOK_HEADER = 'postrider-sequence';

/**
 * Headers that a channel cannot set: those that frame the request (RFC 9110 section 7.6.1, RFC 9112), and those that
 * continue a trace.
 */
const RESERVED_HEADERS = new Set([
  'host',
  'content-length',
  'content-encoding',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'traceparent',
]);
/** `webhook-` belongs to Standard Webhooks, `postrider-` to test marks and sequence numbers. */
const RESERVED_PREFIXES = ['webhook-', 'proxy-', 'postrider-'];

/** Whether a header is reserved for the service. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED_HEADERS.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

export const [{ name: SIGNING_KEY, previous: PREVIOUS_SIGNING_KEY }] = KIND_FACTS.webhook.rotatedCredentials;
/** The name of the credential for the private key of `tls`. */
export const TLS_KEY = `tls/${PRIVATE_KEY}`;
export const headerCredential = (name: string) => `headers/${name.toLowerCase()}`;

/** The name of the credential that signs instead of the generated secret. */
export const GIVEN_SECRET = 'signature/secret';

export const DEFAULT_PREFIX = 'webhook-';
const STANDARD: WebhookSignature = { type: 'standard' };

/** An HMAC in one header. */
interface Scheme {
  readonly header: string;
  readonly algorithm: NonNullable<WebhookSignature['algorithm']>;
  readonly encoding: NonNullable<WebhookSignature['encoding']>;
  readonly signedText: string;
  /** The value of the header; `{signature}` is one signature. */
  readonly value: string;
  /** What is repeated for each valid secret, with a comma before. Without it only the newest secret signs. */
  readonly each?: string;
}

const GITHUB: Scheme = {
  header: 'x-hub-signature-256',
  algorithm: 'sha256',
  encoding: 'hex',
  signedText: '{body}',
  value: 'sha256={signature}',
};
const STRIPE: Scheme = {
  header: 'stripe-signature',
  algorithm: 'sha256',
  encoding: 'hex',
  signedText: '{timestamp}.{body}',
  value: 't={timestamp},v1={signature}',
  each: 'v1={signature}',
};
/** The defaults of `custom`, which has no default header. */
const CUSTOM: Scheme = { ...GITHUB, header: '', value: '{signature}' };
/** The table of signatures with an HMAC in one header. `standard` has its own form, and `none` has none. */
const SCHEMES = { github: GITHUB, stripe: STRIPE, custom: CUSTOM } as const;

function schemeOf({ type, ...own }: WebhookSignature): Scheme | null {
  if (type === 'standard' || type === 'none') return null;
  const { header, algorithm, encoding, signed_text: signedText, value } = own;
  const given = { header: header?.toLowerCase(), algorithm, encoding, signedText, value };
  const chosen = Object.fromEntries(Object.entries(given).filter(([, field]) => field !== undefined));
  return { ...SCHEMES[type], ...chosen };
}

/** The lower-case names of the headers that a signature sends. */
export function signatureHeaderNames(signature: WebhookSignature | undefined): string[] {
  const { type, header_prefix: prefix = DEFAULT_PREFIX, ...own } = signature ?? STANDARD;
  if (type === 'standard')
    return ['id', 'timestamp', 'signature'].map((name) => `${prefix}${name}`.toLowerCase());
  const names = [schemeOf({ type, ...own })?.header, own.timestamp_header, own.id_header];
  return names.flatMap((name) => (name ? [name.toLowerCase()] : []));
}

/** What a signature signs. */
interface ToSign {
  /** The run's public id. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
  /** The valid secrets, the newest first. */
  readonly secrets: readonly string[];
}

/** Replaces `{name}` once, from left to right, so that a value that contains a placeholder is not replaced again. */
const fill = (pattern: string, values: Readonly<Record<string, string>>) =>
  pattern.replace(/\{(id|timestamp|body|signature)\}/g, (whole, name: string) => values[name] ?? whole);

function hmacHeader(scheme: Scheme, { id, timestamp, body, secrets }: ToSign): string {
  const values = { id, timestamp: String(timestamp) };
  const signed = fill(scheme.signedText, { ...values, body });
  const [first = '', ...others] = secrets.map((secret) =>
    createHmac(scheme.algorithm, secret).update(signed, 'utf8').digest(scheme.encoding),
  );
  const { value, each } = scheme;
  const more = each ? others.map((signature) => `,${fill(each, { ...values, signature })}`) : [];
  return [fill(value, { ...values, signature: first }), ...more].join('');
}

const USER_AGENT = 'Postrider/1.0 (+https://www.standardwebhooks.com)';

/** What the headers of an attempt depend on besides its config. */
type Run = Pick<
  Delivery<JsonContent>,
  'ids' | 'message' | 'content' | 'secrets' | 'credentials' | 'nowMs' | 'sequence' | 'traceparent'
>;

/**
 * The `traceparent` header. It is left out for traces that are not recorded, because it would tell the receiver not
 * to record the request either.
 */
function traceHeader(traceparent: string | null): Record<string, string> {
  return traceparent !== null && parseTraceparent(traceparent)?.sampled ? { traceparent } : {};
}

/**
 * The headers of an attempt's signature, with every valid secret and, if the channel has keys, with each key. Names are in lower
 * case. Every type but `standard` with another prefix also has `webhook-id` and `webhook-timestamp`, by which receivers recognise a
 * repeated request.
 * @throws TypeError if there is no secret
 */
function signatureHeaders(
  { ids: { run: id }, content: { body }, secrets: generated, credentials, nowMs }: Run,
  { signature }: WebhookConfig,
): Record<string, string> {
  const timestamp = Math.floor(nowMs() / 1_000);
  const given = credentials[GIVEN_SECRET];
  const secrets = given === undefined ? generated : [given];
  if (signature && signature.type !== 'standard') {
    const scheme = schemeOf(signature);
    const { timestamp_header: time, id_header: ofId } = signature;
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(scheme ? { [scheme.header]: hmacHeader(scheme, { id, timestamp, body, secrets }) } : {}),
      ...(time ? { [time.toLowerCase()]: String(timestamp) } : {}),
      ...(ofId ? { [ofId.toLowerCase()]: id } : {}),
    };
  }
  const signed = signWebhook({ secrets, id, timestamp, body });
  const { [SIGNING_KEY]: key, [PREVIOUS_SIGNING_KEY]: previous } = credentials;
  if (key !== undefined) {
    // The previous key signs as long as the previous secret.
    const keys = previous !== undefined && generated.length > 1 ? [key, previous] : [key];
    signed['webhook-signature'] += ` ${signAsymmetrically(keys, `${id}.${timestamp}.${body}`)}`;
  }
  const prefix = signature?.header_prefix?.toLowerCase() ?? DEFAULT_PREFIX;
  if (prefix === DEFAULT_PREFIX) return signed;
  return Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.replace(DEFAULT_PREFIX, prefix), value]),
  );
}

/** Converts header names to lower case and drops reserved headers. */
export function ownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isReservedHeader(name));
  return Object.fromEntries(own);
}

/**
 * The headers of one attempt, with lower-case names. Signatures and the test mark override the channel's own headers.
 * @param secret headers with secret values
 */
export function webhookHeaders(
  run: Run,
  config: WebhookConfig,
  secret: Readonly<Record<string, string>>,
): Record<string, string> {
  const { message, traceparent, sequence = null } = run;
  return {
    'content-type': contentTypeOf(config),
    'user-agent': USER_AGENT,
    accept: '*/*',
    ...ownHeaders(config.headers ?? {}),
    ...secret,
    ...bodyHeaders(config, run),
    ...signatureHeaders(run, config),
    ...(message.test ? { [TEST_WEBHOOK_HEADER]: 'true' } : {}),
    ...(sequence === null ? {} : { [SEQUENCE_WEBHOOK_HEADER]: String(sequence) }),
    ...traceHeader(traceparent),
  };
}

/**
 * The headers of the signature that are stored, for readers with `messages:content` who try to verify the request; none if they could
 * reveal a secret. Those of Standard Webhooks by the generated secret do not: it has at least 24 random bytes, which an HMAC does not
 * reveal, and they sign only this body with this id and time, which a receiver takes once and for some minutes. A secret that somebody
 * chose could be guessed from its HMAC, and other types of signatures have no id or time in all cases.
 */
const openHeaders = ({ credentials }: Run, { signature }: WebhookConfig): readonly string[] =>
  credentials[GIVEN_SECRET] === undefined && (signature?.type ?? 'standard') === 'standard'
    ? signatureHeaderNames(signature)
    : [];

/**
 * The headers of a request as they are stored.
 * @param headers those that are sent
 * @param secret those of them with secret values
 */
export function shownHeaders(
  headers: Readonly<Record<string, string>>,
  run: Run,
  config: WebhookConfig,
  secret: Readonly<Record<string, string>>,
): HeaderList {
  const ofSignature = config.signature ? signatureHeaderNames(config.signature) : [];
  const isSecret = (name: string) => Object.hasOwn(secret, name) || ofSignature.includes(name);
  const open = openHeaders(run, config);
  return maskHeaders(headers).map(([name, value]) =>
    open.includes(name) ? [name, headers[name] ?? value] : [name, isSecret(name) ? MASKED : value],
  );
}

/**
 * The headers of a request that is not sent: signed with a secret that is made for it, so that nobody can use the signature;
 * other secrets masked.
 */
export function previewedHeaders(config: WebhookConfig, run: PreviewedRun<JsonContent>): HeaderList {
  const names = [...Object.keys(config.secret_headers ?? {}), ...(config.auth ? ['authorization'] : [])];
  const masked = ownHeaders(Object.fromEntries(names.map((name) => [name, MASKED])));
  const credentials: Record<string, string> = config.signatures?.includes('v1a')
    ? { [SIGNING_KEY]: createSigningKey() }
    : {};
  const signedRun = {
    ...run,
    secrets: [createWebhookSecret()],
    credentials,
    nowMs: Date.now,
    traceparent: null,
  };
  return Object.entries(webhookHeaders(signedRun, config, masked));
}
