import { createWebhookSecret, KIND_FACTS, parseTraceparent } from '@postrider/domain';
import { boundCredentials, type WantedCredential } from '../bound-credentials.ts';
import type { GivenCredentials, PreviewedRun } from '../channel.ts';
import type { JsonContent } from '../json-template.ts';
import { type Delivery, type HeaderList, MASKED } from '../sender.ts';
import { SECRET_OF } from './authentication.ts';
import { bodyHeaders, contentTypeOf } from './bodies.ts';
import { SEQUENCE_WEBHOOK_HEADER, TEST_WEBHOOK_HEADER, type WebhookConfig } from './config.ts';
import { GIVEN_SECRET, givenSecretIssues, signatureHeaders } from './signatures.ts';
import { createSigningKey } from './signing-keys.ts';
import { privateKeyIssues } from './tls.ts';
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

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

export const headerCredential = (name: string) => `headers/${name.toLowerCase()}`;
export const [{ name: SIGNING_KEY, previous: PREVIOUS_SIGNING_KEY }] = KIND_FACTS.webhook.rotatedCredentials;
/** The name of the credential for the private key of `tls`. */
export const TLS_KEY = 'tls/private_key';

function wantedBy({ url, auth, secret_headers = {}, tls, signature }: WebhookConfig): WantedCredential[] {
  // With another authority, another server could impersonate the endpoint.
  const endpoint = JSON.stringify([originOf(url), tls?.ca]);
  const headers = Object.keys(secret_headers).map((name) => ({
    name: headerCredential(name),
    at: ['secret_headers', name],
    boundTo: endpoint,
    label: 'value',
  }));
  const secret = auth && SECRET_OF[auth.type];
  return [
    ...headers,
    ...(auth && secret
      ? [
          {
            name: `auth/${secret}`,
            at: ['auth', secret],
            // A token obtained with this secret is sent to the endpoint.
            boundTo: auth.type === 'oauth2' ? `${originOf(auth.token_url)} ${endpoint}` : endpoint,
            label: secret,
          },
        ]
      : []),
    ...(signature === undefined || signature.type === 'none'
      ? []
      : [
          {
            name: GIVEN_SECRET,
            at: ['signature', 'secret'],
            // It is not sent. A secret of one form may not fit the other.
            boundTo: signature.type === 'standard' ? 'standard' : 'text',
            label: 'secret',
            isOptional: true,
            issuesOf: (secret: string) => givenSecretIssues(secret, signature),
          },
        ]),
    ...(tls?.certificate === undefined
      ? []
      : [
          {
            name: TLS_KEY,
            at: ['tls', 'private_key'],
            boundTo: tls.certificate,
            label: 'private key',
            issuesOf: (key: string) => privateKeyIssues(key, tls.certificate),
          },
        ]),
  ];
}

/**
 * The credentials of a webhook channel: secret headers, the secret of `auth`, the private key of `tls`, and the
 * generated key of `v1a` signatures. A stored credential is never sent to another origin than the one it was given
 * for, nor to one that other authorities vouch for.
 */
export const webhookCredentials: GivenCredentials<WebhookConfig> = {
  change(before, after) {
    const { changes: given, issues } = boundCredentials(wantedBy).change(before, after);
    const changes: Record<string, string | null> = { ...given };
    if (after.config.signatures?.includes('v1a')) {
      delete changes[SIGNING_KEY];
      delete changes[PREVIOUS_SIGNING_KEY];
      if (!before?.credentials.has(SIGNING_KEY)) changes[SIGNING_KEY] = createSigningKey();
    }
    return { changes, issues };
  },
};
