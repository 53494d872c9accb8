import { createWebhookSecret, parseTraceparent } from '@postrider/domain';
import type { PreviewedRun } from '../channel.ts';
import { MASKED } from '../http/exchange.ts';
import type { JsonContent } from '../json-template.ts';
import type { Delivery, HeaderList } from '../sender.ts';
import { bodyHeaders, contentTypeOf } from './bodies.ts';
import { SEQUENCE_WEBHOOK_HEADER, TEST_WEBHOOK_HEADER, type WebhookConfig } from './config.ts';
import { PREVIOUS_SIGNING_KEY, SIGNING_KEY } from './credentials.ts';
import { GIVEN_SECRET, signatureHeaders } from './signatures.ts';
import { createSigningKey } from './signing-keys.ts';
import { isReservedHeader } from './url-and-headers.ts';

const USER_AGENT = 'Postrider/1.0 (+https://www.standardwebhooks.com)';

/** What the headers of an attempt depend on besides its config. */
type Run = Pick<
  Delivery<JsonContent>,
  'runId' | 'message' | 'content' | 'secrets' | 'credentials' | 'nowMs' | 'test' | 'sequence' | 'traceparent'
>;

/**
 * The `traceparent` header. It is left out for traces that are not recorded, because it would tell the receiver not
 * to record the request either.
 */
function traceHeader(traceparent: string | null): Record<string, string> {
  return traceparent !== null && parseTraceparent(traceparent)?.sampled ? { traceparent } : {};
}

/** The headers of an attempt's signature, with every valid secret and, if the channel has keys, with each key. */
function signed(
  { runId, content, secrets, credentials, nowMs }: Run,
  { signature }: WebhookConfig,
): Record<string, string> {
  const timestamp = Math.floor(nowMs() / 1_000);
  const given = credentials[GIVEN_SECRET];
  const key = credentials[SIGNING_KEY];
  const previous = credentials[PREVIOUS_SIGNING_KEY];
  // The previous key signs as long as the previous secret.
  const previousKeys = previous !== undefined && secrets.length > 1 ? [previous] : [];
  return signatureHeaders(signature, {
    ...{ id: runId, timestamp, body: content.body },
    secrets: given === undefined ? secrets : [given],
    keys: key === undefined ? [] : [key, ...previousKeys],
  });
}

/** Converts header names to lower case and drops reserved headers. */
export function ownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isReservedHeader(name));
  return Object.fromEntries(own);
}

/** The headers that all requests of a channel have, with lower-case names. */
export const commonHeaders = (config: WebhookConfig): Record<string, string> => ({
  'content-type': contentTypeOf(config),
  'user-agent': USER_AGENT,
  accept: '*/*',
  ...ownHeaders(config.headers ?? {}),
});

/**
 * The headers of one attempt. Signatures and the test mark override the channel's own headers.
 * @param common those of {@link commonHeaders}
 * @param secret headers with secret values
 */
export function webhookHeaders(
  run: Run,
  {
    config,
    headers: common,
  }: { readonly config: WebhookConfig; readonly headers: Readonly<Record<string, string>> },
  secret: Readonly<Record<string, string>>,
): Record<string, string> {
  const { test, traceparent, sequence = null } = run;
  return {
    ...common,
    ...secret,
    ...bodyHeaders(config, run),
    ...signed(run, config),
    ...(test ? { [TEST_WEBHOOK_HEADER]: 'true' } : {}),
    ...(sequence === null ? {} : { [SEQUENCE_WEBHOOK_HEADER]: String(sequence) }),
    ...traceHeader(traceparent),
  };
}

/** The headers of a request that is not sent: signed with a secret that is made for it, so that nobody can use the signature; other secrets masked. */
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
  return Object.entries(webhookHeaders(signedRun, { config, headers: commonHeaders(config) }, masked));
}
