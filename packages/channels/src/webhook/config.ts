import {
  type ChannelIssue,
  type ChannelRule,
  type JsonObject,
  KIND_FACTS,
  timeoutSchema,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { PATTERNS } from '../schema.ts';
import {
  AUTH_SCHEMA,
  authIssues,
  SECRET_HEADERS_SCHEMA,
  type SecretHeaders,
  secretHeaderIssues,
  storedAuth,
  type WebhookAuth,
} from './authentication.ts';
import { type BodyConfig, DEFAULT_CLOUDEVENTS_SOURCE, WEBHOOK_BODIES, WITHOUT_TEMPLATE } from './bodies.ts';
import { isListenerUrl } from './request.ts';
import {
  SIGNATURE_SCHEMA,
  signatureIssues,
  storedSignature,
  type WebhookSignature,
} from './signature-schema.ts';
import { storedTls, TLS_SCHEMA, tlsIssues, type WebhookTls } from './tls.ts';
import { headerIssues, MAX_WEBHOOK_HEADERS, MAX_WEBHOOK_URL_LENGTH, urlIssues } from './url-rules.ts';

export const SIGNATURES = ['v1', 'v1a'] as const;
type Signature = (typeof SIGNATURES)[number];

/** The stored config of a webhook channel (docs/specification.md, "Channels"), without secrets. */
export type WebhookConfig = BodyConfig & {
  url: string;
  headers?: Record<string, string>;
  secret_headers?: SecretHeaders;
  auth?: WebhookAuth;
  tls?: WebhookTls;
  /** Signatures besides `v1`. */
  signatures?: Signature[];
  signature?: WebhookSignature;
  timeout_ms?: number;
};

export const { defaultTimeoutMs: WEBHOOK_TIMEOUT_MS } = KIND_FACTS.webhook;

const MAX_HEADER_VALUE_LENGTH = 2_048;

export const WEBHOOK_CONFIG_SCHEMA = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  description: 'Configuration of the webhook.',
  properties: {
    url: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_WEBHOOK_URL_LENGTH,
      description:
        'An http or https URL without user name, password and fragment. Operators see it unchanged; the audit ' +
        'log stores it without query values and without path segments that could be a token. Whether its address may be called ' +
        'is checked at each attempt, when the name is resolved: private addresses are refused with ' +
        '`webhook_address_blocked`. With `listen://` and a name the deliveries are for `postrider listen`.',
    },
    headers: {
      type: 'object',
      maxProperties: MAX_WEBHOOK_HEADERS,
      additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_HEADER_VALUE_LENGTH },
      default: {},
      description:
        'Sent with each request. They are shown in responses, so do not put secrets in them. Names ' +
        'that frame the request, and those that begin with `webhook-`, `proxy-` or `postrider-`, ' +
        'are reserved.',
    },
    secret_headers: SECRET_HEADERS_SCHEMA,
    auth: AUTH_SCHEMA,
    tls: TLS_SCHEMA,
    signatures: {
      type: 'array',
      minItems: 1,
      maxItems: SIGNATURES.length,
      uniqueItems: true,
      items: { title: 'Webhook signature', type: 'string', enum: [...SIGNATURES] },
      contains: { const: 'v1' },
      default: ['v1'],
      description:
        'The signatures of each request. `v1` is always included; `v1a` (ed25519) is verified with ' +
        'a public key, which `GET /.well-known/webhooks/{channelId}/jwks.json` serves.',
    },
    body: {
      title: 'Webhook body',
      type: 'string',
      enum: WEBHOOK_BODIES,
      default: 'standard',
      description:
        'The form of the body. `standard`: the active template of the event, or the default body. `thin`: that body with ids only. ' +
        '`cloudevents-structured`, `cloudevents-binary`: CloudEvents 1.0 with the payload as its data. `template`: `template`, or ' +
        'the template of the event. `slack`, `teams`, `discord`, `pagerduty`: a message with event key and payload for these ' +
        'services; PagerDuty needs its key in the secret header `X-Routing-Key`.',
    },
    template: {
      type: ['object', 'null'],
      additionalProperties: true,
      default: null,
      description:
        'A JSON document of the channel whose strings are Liquid, as the body of a template; at most 16,384 characters. It replaces the ' +
        'body, or the data of a CloudEvent. Not for `standard` and `thin`.',
    },
    cloudevents_source: {
      type: 'string',
      minLength: 1,
      maxLength: 256,
      pattern: PATTERNS.visibleAscii.pattern,
      default: DEFAULT_CLOUDEVENTS_SOURCE,
      description: 'The `source` of CloudEvents and of PagerDuty events: a URI reference.',
    },
    signature: SIGNATURE_SCHEMA,
    timeout_ms: timeoutSchema(WEBHOOK_TIMEOUT_MS),
  },
} as const satisfies SchemaObject;

/**
 * Rules on a config that fulfils {@link WEBHOOK_CONFIG_SCHEMA}. Paths start at the config. Addresses are not checked
 * here: `refusedEndpoints` does for literal ones, and each attempt for all, because what a name resolves to changes.
 */
export const WEBHOOK_CONFIG_RULES: readonly ChannelRule<WebhookConfig>[] = [
  { reads: ['/url'], issuesOf: ({ url }) => urlIssues(url) },
  { reads: ['/headers'], issuesOf: ({ headers = {} }) => headerIssues(headers) },
  { reads: ['/headers', '/secret_headers'], issuesOf: secretHeaderIssues },
  { reads: ['/auth'], issuesOf: ({ auth }) => (auth ? under('/auth', authIssues(auth)) : []) },
  { reads: ['/signature', '/headers', '/secret_headers', '/signatures'], issuesOf: signatureIssues },
  { reads: ['/template', '/body'], issuesOf: templateIssues },
  { reads: ['/url', '/auth', '/secret_headers', '/tls'], issuesOf: listenerIssues },
  { reads: ['/tls', '/url'], issuesOf: ({ tls, url }) => (tls ? under('/tls', tlsIssues(tls, url)) : []) },
  {
    reads: ['/auth', '/headers', '/secret_headers'],
    issuesOf: ({ auth, headers = {}, secret_headers = {} }) => {
      const isTwice =
        auth && Object.keys({ ...headers, ...secret_headers }).some((name) => /^authorization$/i.test(name));
      const message = 'must be null while there is a header Authorization';
      return isTwice ? [{ path: '/auth', code: 'invalid_value', message }] : [];
    },
  },
];

/** A listener sees everything that is sent to it, so it gets no credentials of a receiver. */
function listenerIssues({ url, auth, secret_headers = {}, tls }: WebhookConfig): ChannelIssue[] {
  if (!isListenerUrl(url)) return [];
  const given = { auth, tls, secret_headers: Object.keys(secret_headers).length > 0 };
  return Object.entries(given).flatMap(([name, value]): ChannelIssue[] =>
    value ? [{ path: `/${name}`, code: 'invalid_value', message: 'must not be set with listen://' }] : [],
  );
}

/** The longest template of a channel, in characters of JSON. */
const MAX_TEMPLATE_LENGTH = 16_384;

function templateIssues({ template, body = 'standard' }: WebhookConfig): ChannelIssue[] {
  if (!template) return [];
  if (WITHOUT_TEMPLATE.includes(body))
    return [{ path: '/template', code: 'invalid_value', message: `must be null for ${body}` }];
  const message = `must not be longer than ${MAX_TEMPLATE_LENGTH} characters`;
  return JSON.stringify(template).length > MAX_TEMPLATE_LENGTH
    ? [{ path: '/template', code: 'too_long', message }]
    : [];
}

const under = (path: string, issues: readonly ChannelIssue[]): ChannelIssue[] =>
  issues.map((issue) => ({ ...issue, path: `${path}${issue.path}` }));

/** The stored form of a valid config: without secrets and without null fields. */
export function toStoredConfig(config: JsonObject): WebhookConfig {
  const { secret_headers, auth, tls, signatures, body, template, cloudevents_source, signature, ...rest } =
    config as JsonObject & WebhookConfig;
  const names = Object.keys(secret_headers ?? {});
  const isSigned = signatures?.includes('v1a') ?? false;
  return {
    ...rest,
    ...(names.length > 0 ? { secret_headers: Object.fromEntries(names.map((name) => [name, true])) } : {}),
    ...(auth ? { auth: storedAuth(auth) } : {}),
    ...(tls ? { tls: storedTls(tls) } : {}),
    ...(isSigned ? { signatures: [...SIGNATURES] } : {}),
    ...(body && body !== 'standard' ? { body } : {}),
    ...(template ? { template } : {}),
    ...(cloudevents_source && cloudevents_source !== DEFAULT_CLOUDEVENTS_SOURCE
      ? { cloudevents_source }
      : {}),
    ...(signature ? { signature: storedSignature(signature) } : {}),
  };
}
