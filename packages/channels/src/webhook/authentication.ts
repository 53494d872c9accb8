import { type ChannelIssue, escapePointerSegment, type JsonObject, type JsonValue } from '@postrider/domain';
import { boundCredentials, type WantedCredential } from '../bound-credentials.ts';
import type { GivenCredentials } from '../channel.ts';
import type { OAuth2Client } from '../http/oauth2.ts';
import { type JsonSchema, nullable, record, secretText, text } from '../schema.ts';
import type { WebhookConfig } from './config.ts';
import { GIVEN_SECRET, headerCredential, PREVIOUS_SIGNING_KEY, SIGNING_KEY, TLS_KEY } from './request.ts';
import { givenSecretIssues } from './signature-schema.ts';
import { createSigningKey } from './signing-keys.ts';
import { privateKeyIssues } from './tls.ts';
import { headerIssues, MAX_WEBHOOK_HEADERS, urlIssues } from './url-rules.ts';

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

const credential = (description: string): JsonSchema =>
  secretText(`${description} Stored encrypted and never shown; a PATCH that leaves it out keeps it.`, {
    maxLength: MAX_SECRET_LENGTH,
  });
const line = (maxLength: number, description: string) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

/** Schema of `auth` in a request. */
export const AUTH_SCHEMA: JsonSchema = {
  type: ['object', 'null'],
  required: ['type'],
  additionalProperties: false,
  default: null,
  description: 'The header `Authorization` of each request.',
  properties: {
    type: {
      type: 'string',
      enum: ['basic', 'bearer', 'oauth2'],
      description:
        '`basic` has `username` and `password` (RFC 7617), `bearer` a `token` (RFC 6750). `oauth2` gets tokens by the client ' +
        'credentials grant (RFC 6749 section 4.4) with `token_url`, `client_id` and `client_secret`.',
    },
    username: { ...line(MAX_NAME_LENGTH, 'For `basic`.'), type: ['string', 'null'] },
    password: credential('For `basic`.'),
    token: credential('For `bearer`.'),
    token_url: {
      ...line(2_048, 'For `oauth2`: the token endpoint, under the same address policy.'),
      type: ['string', 'null'],
    },
    client_id: { ...line(MAX_NAME_LENGTH, 'For `oauth2`.'), type: ['string', 'null'] },
    client_secret: credential('For `oauth2`.'),
    scope: { ...line(MAX_SCOPE_LENGTH, 'For `oauth2`.'), type: ['string', 'null'] },
    audience: {
      ...line(MAX_SCOPE_LENGTH, 'For `oauth2`, if the server needs one.'),
      type: ['string', 'null'],
    },
    client_authentication: {
      type: ['string', 'null'],
      enum: ['header', 'body', null],
      default: 'header',
      description: 'For `oauth2`: whether id and secret are sent in a header or in the form.',
    },
  },
};

export const PRESENTED_AUTH = nullable({
  // Each type has its own fields.
  ...record('The header `Authorization`.', {
    type: text('`basic`, `bearer` or `oauth2`.'),
    username: text('For `basic`.'),
    token_url: text('For `oauth2`.'),
    client_id: text('For `oauth2`.'),
    scope: text('For `oauth2`.'),
    audience: text('For `oauth2`.'),
    client_authentication: text('For `oauth2`: `header` or `body`.'),
  }),
  required: ['type'],
});

/** Header names with `true`, or with a value in a request. */
export type SecretHeaders = Record<string, string | true>;

/** Schema in a request. `true` keeps the stored value, and is what the API shows instead of the value. */
export const SECRET_HEADERS_SCHEMA: JsonSchema = {
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
};

/** The fields of each type, and which of them are optional. */
const FIELDS = {
  basic: { wanted: ['username'], optional: [] },
  bearer: { wanted: [], optional: [] },
  oauth2: { wanted: ['token_url', 'client_id'], optional: ['scope', 'audience', 'client_authentication'] },
} as const;
const SECRET_OF = { basic: 'password', bearer: 'token', oauth2: 'client_secret' } as const;
type AuthType = keyof typeof FIELDS;

const isGiven = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

/** Issues of `auth` in a request that fulfils the schema. Paths start at `auth`. */
export function authIssues(auth: JsonObject): ChannelIssue[] {
  const type = auth.type as AuthType;
  const { wanted, optional } = FIELDS[type];
  const secret = SECRET_OF[type];
  const known: readonly string[] = ['type', ...wanted, ...optional, secret];
  const missing = wanted
    .filter((name) => !isGiven(auth[name]))
    .map(
      (name): ChannelIssue => ({ path: `/${name}`, code: 'required', message: `is required for ${type}` }),
    );
  const foreign = Object.keys(auth)
    .filter((name) => isGiven(auth[name]) && !known.includes(name))
    .map(
      (name): ChannelIssue => ({
        path: `/${name}`,
        code: 'invalid_value',
        message: `does not belong to ${type}: set it to null`,
      }),
    );
  const controls = [...wanted, ...optional, secret].flatMap((name): ChannelIssue[] => {
    const value = auth[name];
    return typeof value === 'string' && /\p{Cc}/u.test(value)
      ? [{ path: `/${name}`, code: 'invalid_format', message: 'must not contain control characters' }]
      : [];
  });
  const issues = [...missing, ...foreign, ...controls];
  if (type === 'basic' && typeof auth.username === 'string' && auth.username.includes(':')) {
    issues.push({
      path: '/username',
      code: 'invalid_format',
      message: 'must not contain a colon (RFC 7617)',
    });
  }
  if (type === 'bearer' && typeof auth.token === 'string' && !BEARER_TOKEN.test(auth.token)) {
    issues.push({ path: '/token', code: 'invalid_format', message: 'must be a bearer token (RFC 6750)' });
  }
  if (typeof auth.token_url === 'string') {
    issues.push(...urlIssues(auth.token_url).map((issue) => ({ ...issue, path: '/token_url' })));
  }
  return issues;
}

/** The stored form of `auth`. */
export function storedAuth(auth: JsonObject): WebhookAuth {
  const type = auth.type as AuthType;
  const { wanted, optional } = FIELDS[type];
  const kept = [...wanted, ...optional].filter((name) => isGiven(auth[name]));
  return Object.fromEntries([['type', type], ...kept.map((name) => [name, auth[name]])]) as WebhookAuth;
}

/** Issues of the secret headers of a request, together with its other headers. Paths start at the config. */
export function secretHeaderIssues({
  headers = {},
  secret_headers = {},
}: {
  headers?: Record<string, string>;
  secret_headers?: SecretHeaders;
}): ChannelIssue[] {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const twice = Object.keys(secret_headers)
    .filter((name) => names.has(name.toLowerCase()))
    .map(
      (name): ChannelIssue => ({
        path: `/secret_headers/${escapePointerSegment(name)}`,
        code: 'duplicate',
        message: 'is already in headers',
      }),
    );
  // A kept value was checked when it was set.
  const values = Object.entries(secret_headers).map(([name, value]) => [
    name,
    value === true ? 'kept' : value,
  ]);
  const issues = headerIssues(Object.fromEntries(values) as Record<string, string>);
  return [
    ...issues.map(({ path, ...issue }) => ({ ...issue, path: path.replace('/headers', '/secret_headers') })),
    ...twice,
  ];
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

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
