import { createWebhookSecret, type JsonObject, KIND_FACTS } from '@postrider/domain';
import { defineChannelKind } from '../channel.ts';
import { parseWholeNumber, part } from '../command.ts';
import type { JsonContent } from '../json-template.ts';
import { nullable, record, text, wholeNumber } from '../schema.ts';
import { PRESENTED_AUTH, webhookCredentials } from './authentication.ts';
import { DEFAULT_CLOUDEVENTS_SOURCE, WEBHOOK_BODIES, webhookTemplate } from './bodies.ts';
import {
  SIGNATURES,
  toStoredConfig,
  WEBHOOK_CONFIG_RULES,
  WEBHOOK_CONFIG_SCHEMA,
  WEBHOOK_TIMEOUT_MS,
  type WebhookConfig,
} from './config.ts';
import { isListenerUrl, previewedHeaders, SIGNING_KEY } from './request.ts';
import { PRESENTED_SIGNATURE } from './signature-schema.ts';
import { createSigningKey } from './signing-keys.ts';
import { PRESENTED_TLS, presentTls } from './tls.ts';
import { concealWebhookUrl } from './url-rules.ts';

/** Replaces a header's value in the audit log: it may be a password of the receiver. */
const HIDDEN = '(not kept)';

function present(config: WebhookConfig): JsonObject {
  const {
    url,
    headers = {},
    secret_headers = {},
    auth,
    tls,
    signatures,
    body = 'standard',
    template = null,
    cloudevents_source = DEFAULT_CLOUDEVENTS_SOURCE,
    signature,
    timeout_ms = WEBHOOK_TIMEOUT_MS,
  } = config;
  return {
    url,
    headers: { ...headers },
    secret_headers: { ...secret_headers },
    auth: auth ? { ...auth } : null,
    tls: presentTls(tls),
    signatures: signatures ?? ['v1'],
    body,
    template,
    cloudevents_source,
    signature: signature ? { ...signature } : null,
    timeout_ms,
  };
}

/** `auth` as the audit log stores it. */
function concealTokenUrl({ auth }: WebhookConfig): JsonObject | null {
  if (!auth) return null;
  return auth.type === 'oauth2' ? { ...auth, token_url: concealWebhookUrl(auth.token_url) } : { ...auth };
}

function hideHeaders({ headers = {} }: WebhookConfig): JsonObject {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

function parseHeader(line: string, before: unknown): Record<string, string> {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error('It must be a name, a colon and a value.');
  const earlier = (before ?? {}) as Record<string, string>;
  return { ...earlier, [line.slice(0, colon).trim()]: line.slice(colon + 1).trim() };
}

/** Posts JSON to a URL, signed according to Standard Webhooks. */
export const webhookKind = defineChannelKind<WebhookConfig, JsonContent>({
  ...KIND_FACTS.webhook,
  label: 'a webhook channel',
  description: 'A channel that posts to a URL.',
  config: {
    schema: WEBHOOK_CONFIG_SCHEMA,
    rules: WEBHOOK_CONFIG_RULES,
    toStored: toStoredConfig,
    plaintextUrls: ({ url, auth }) => [
      ...(/^https:/i.test(url) || isListenerUrl(url) ? [] : ['/url']),
      ...(auth?.type !== 'oauth2' || /^https:/i.test(auth.token_url) ? [] : ['/auth/token_url']),
    ],
    endpointsOf: ({ url, auth }) => ({
      ...(isListenerUrl(url) ? {} : { '/url': url }),
      ...(auth?.type === 'oauth2' ? { '/auth/token_url': auth.token_url } : {}),
    }),
    presentedSchema: record('Configuration of the webhook.', {
      url: text('An http or https URL.'),
      headers: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Sent with each request.',
      },
      secret_headers: {
        type: 'object',
        additionalProperties: { type: 'boolean', const: true },
        description: 'Headers whose values are secrets, by their names.',
      },
      auth: PRESENTED_AUTH,
      tls: PRESENTED_TLS,
      signatures: {
        type: 'array',
        items: { type: 'string', enum: [...SIGNATURES] },
        description: 'The signatures of each request.',
      },
      body: { type: 'string', enum: WEBHOOK_BODIES, description: 'The form of the body.' },
      template: nullable({
        type: 'object',
        additionalProperties: true,
        description: 'The template of the channel.',
      }),
      cloudevents_source: text('The source of CloudEvents.'),
      signature: PRESENTED_SIGNATURE,
      timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
    }),
    present,
    presentForAudit: (config) => ({
      ...present(config),
      url: concealWebhookUrl(config.url),
      headers: hideHeaders(config),
      auth: concealTokenUrl(config),
    }),
  },
  isListener: ({ url }) => isListenerUrl(url),
  secret: {
    type: 'generated',
    create: (credential) => (credential === SIGNING_KEY ? createSigningKey() : createWebhookSecret()),
  },
  credentials: webhookCredentials,
  previewHeaders: previewedHeaders,
  template: webhookTemplate,
  errorCodes: [
    'webhook_http_error',
    'webhook_timeout',
    'webhook_connection_failed',
    'webhook_dns_failed',
    'webhook_tls_failed',
    'webhook_redirect_refused',
    'webhook_address_blocked',
    'webhook_endpoint_gone',
    'webhook_auth_failed',
  ],
  secretErrorCode: 'webhook_connection_failed',
  example: {
    summary: 'A webhook',
    value: {
      name: 'warehouse',
      event_keys: ['order.*'],
      config: {
        url: 'https://warehouse.example.com/hooks',
        headers: { 'X-Shop': 'eu' },
        timeout_ms: 10_000,
      },
    },
  },
  command: {
    description: 'create a webhook channel; its signing secret is shown only once',
    options: [
      { flags: '--url <url>', description: 'the URL of the endpoint' },
      {
        flags: '--header <header>',
        description: 'a header of each webhook, such as "X-Shop: 7"; repeatable',
        parse: parseHeader,
      },
      { flags: '--timeout-ms <n>', description: 'time limit of one attempt', parse: parseWholeNumber },
    ],
    examples: [
      [
        'postrider channels create-webhook --environment env_01… --name ERP --url https://erp.example.com/in ' +
          "--event-keys 'order.*'",
        'For all events that begin with order.',
      ],
    ],
    fieldsOf: async ({ url, header, timeoutMs }) =>
      part({ url, headers: header, timeout_ms: timeoutMs }) ?? {},
  },
  async loadSender() {
    const { createWebhookSender } = await import('./sender.ts');
    return { createSender: createWebhookSender };
  },
});
