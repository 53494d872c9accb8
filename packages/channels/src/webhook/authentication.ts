import { type ChannelIssue, escapePointerSegment } from '@postrider/domain';
import { boundCredentials, type WantedCredential } from '../bound-credentials.ts';
import { wantedKey } from '../certificates.ts';
import type { GivenCredentials } from '../channel.ts';
import type { OAuth2Client } from '../http/oauth2.ts';
import { type JsonSchema, secretText } from '../schema.ts';
import { checked, matching, type Setting, settingByType } from '../settings.ts';
import type { WebhookConfig } from './config.ts';
import { GIVEN_SECRET, headerCredential, PREVIOUS_SIGNING_KEY, SIGNING_KEY, TLS_KEY } from './request.ts';
import { givenSecretIssues } from './signature-schema.ts';
import { createSigningKey } from './signing-keys.ts';
import { headerIssues, MAX_WEBHOOK_HEADERS, urlProblem } from './url-rules.ts';

/** How a channel authenticates at its endpoint, as stored: without secrets. */
export type WebhookAuth =
  | { type: 'basic'; username: string }
  | { type: 'bearer' }
  | ({ type: 'oauth2' } & OAuth2Client);

const MAX_NAME_LENGTH = 255;
const MAX_SECRET_LENGTH = 4_096;
const MAX_SCOPE_LENGTH = 1_024;
/** RFC 6750 section 2.1. */
const BEARER_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

const noControls = checked((text) => (/\p{Cc}/u.test(text) ? 'must not contain control characters' : null));
const userIssues = checked((text) => (text.includes(':') ? 'must not contain a colon (RFC 7617)' : null));
const tokenIssues = matching(BEARER_TOKEN, 'must be a bearer token (RFC 6750)');
const tokenUrlIssues = checked(urlProblem);

const credential = (description: string): JsonSchema =>
  secretText(`${description} Stored encrypted and never shown; a PATCH that leaves it out keeps it.`, {
    maxLength: MAX_SECRET_LENGTH,
  });
const line = (maxLength: number, description: string): JsonSchema => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength,
  description,
});
const OAUTH2 = { of: ['oauth2'], shown: 'For `oauth2`.', issuesOf: noControls };

/** The settings of the header `Authorization`. */
export const AUTH_SETTING = settingByType(
  'The header `Authorization` of each request.',
  'The header `Authorization`.',
  {
    schema: {
      type: 'string',
      enum: ['basic', 'bearer', 'oauth2'],
      description:
        '`basic` has `username` and `password` (RFC 7617), `bearer` a `token` (RFC 6750). `oauth2` gets tokens ' +
        'with the client credentials grant (RFC 6749 section 4.4) with `token_url`, `client_id` and ' +
        '`client_secret`.',
    },
    shown: '`basic`, `bearer` or `oauth2`.',
  },
  {
    username: {
      of: ['basic'],
      requiredFor: ['basic'],
      schema: line(MAX_NAME_LENGTH, 'For `basic`.'),
      shown: 'For `basic`.',
      issuesOf: (path, name) => [...noControls(path, name), ...userIssues(path, name)],
    },
    password: { of: ['basic'], schema: credential('For `basic`.'), issuesOf: noControls },
    token: {
      of: ['bearer'],
      schema: credential('For `bearer`.'),
      issuesOf: (path, token) => [...noControls(path, token), ...tokenIssues(path, token)],
    },
    token_url: {
      ...OAUTH2,
      requiredFor: OAUTH2.of,
      schema: line(2_048, 'For `oauth2`: the token endpoint, under the same address policy.'),
      issuesOf: (path, url) => [...noControls(path, url), ...tokenUrlIssues(path, url)],
    },
    client_id: { ...OAUTH2, requiredFor: OAUTH2.of, schema: line(MAX_NAME_LENGTH, 'For `oauth2`.') },
    client_secret: { of: OAUTH2.of, schema: credential('For `oauth2`.'), issuesOf: noControls },
    scope: { ...OAUTH2, schema: line(MAX_SCOPE_LENGTH, 'For `oauth2`.') },
    audience: { ...OAUTH2, schema: line(MAX_SCOPE_LENGTH, 'For `oauth2`, if the server needs one.') },
    client_authentication: {
      of: OAUTH2.of,
      schema: {
        type: ['string', 'null'],
        enum: ['header', 'body', null],
        default: 'header',
        description: 'For `oauth2`: whether id and secret are sent in a header or in the form.',
      },
      shown: 'For `oauth2`: `header` or `body`.',
    },
  },
);

const SECRET_OF = { basic: 'password', bearer: 'token', oauth2: 'client_secret' } as const;

/** Header names with `true`, or with a value in a request. */
export type SecretHeaders = Record<string, string | true>;

/** In a request `true` keeps the stored value, and is what the API shows instead of the value. */
export const SECRET_HEADERS_SETTING: Setting = {
  schema: {
    type: 'object',
    maxProperties: MAX_WEBHOOK_HEADERS,
    additionalProperties: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: MAX_SECRET_LENGTH, writeOnly: true },
        { type: 'boolean', const: true },
      ],
    },
    default: {},
    description:
      'Headers whose values are secrets: stored encrypted and shown as `true`. `true` in a request keeps the value that is stored.',
  },
  shown: {
    type: 'object',
    additionalProperties: { type: 'boolean', const: true },
    description: 'Headers whose values are secrets, by their names.',
  },
  storedOf(given = {}) {
    const names = Object.keys(given as SecretHeaders);
    return names.length > 0 ? Object.fromEntries(names.map((name) => [name, true])) : undefined;
  },
  // A kept value was checked when it was set.
  issuesOf: (path, headers: SecretHeaders) =>
    headerIssues(
      path,
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value === true ? 'kept' : value]),
      ),
    ),
};

/** Issues of names that are in both lists of headers. */
export function repeatedHeaderIssues({
  headers = {},
  secret_headers = {},
}: Pick<WebhookConfig, 'headers' | 'secret_headers'>): ChannelIssue[] {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return Object.keys(secret_headers)
    .filter((name) => names.has(name.toLowerCase()))
    .map((name) => ({
      path: `/secret_headers/${escapePointerSegment(name)}`,
      code: 'duplicate',
      message: 'is already in headers',
    }));
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

function wantedBy({ url, auth, secret_headers = {}, tls, signature }: WebhookConfig): WantedCredential[] {
  // With another authority, another server could impersonate the endpoint.
  const endpoint = { url: originOf(url), ca: tls?.ca };
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
            boundTo: auth.type === 'oauth2' ? { ...endpoint, token_url: originOf(auth.token_url) } : endpoint,
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
            boundTo: { type: signature.type === 'standard' },
            label: 'secret',
            isOptional: true,
            isDroppedIfMoved: true,
            issuesOf: (secret: string) => givenSecretIssues(secret, signature),
          },
        ]),
    ...wantedKey(tls ?? {}, TLS_KEY.split('/')),
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
