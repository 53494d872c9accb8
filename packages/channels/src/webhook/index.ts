import { createWebhookSecret, type JsonObject, KIND_FACTS } from '@postrider/domain';
import { defineChannelKind } from '../channel.ts';
import type { JsonContent } from '../json-template.ts';
import { webhookCredentials } from './authentication.ts';
import { webhookTemplate } from './bodies.ts';
import { WEBHOOK_SETTINGS, type WebhookConfig } from './config.ts';
import { GIVEN_SECRET, isListenerUrl, previewedHeaders, SIGNING_KEY } from './request.ts';
import { createSigningKey } from './signing-keys.ts';
import { concealWebhookUrl } from './url-rules.ts';

/** Replaces a header's value in the audit log: it may be a password of the receiver. */
const HIDDEN = '(not kept)';

const { present } = WEBHOOK_SETTINGS.config;

/** `auth` as the audit log stores it. */
function concealTokenUrl({ auth }: WebhookConfig): JsonObject | null {
  if (!auth) return null;
  return auth.type === 'oauth2' ? { ...auth, token_url: concealWebhookUrl(auth.token_url) } : { ...auth };
}

function hideHeaders({ headers = {} }: WebhookConfig): JsonObject {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

/** Posts JSON to a URL, signed according to Standard Webhooks. */
export const webhookKind = defineChannelKind<WebhookConfig, JsonContent>({
  ...KIND_FACTS.webhook,
  label: 'a webhook channel',
  description: 'A channel that posts to a URL.',
  config: {
    ...WEBHOOK_SETTINGS.config,
    plaintextUrls: ({ url, auth }) => [
      ...(/^https:/i.test(url) || isListenerUrl(url) ? [] : ['/url']),
      ...(auth?.type !== 'oauth2' || /^https:/i.test(auth.token_url) ? [] : ['/auth/token_url']),
    ],
    endpointsOf: ({ url, auth }) => ({
      ...(isListenerUrl(url) ? {} : { '/url': url }),
      ...(auth?.type === 'oauth2' ? { '/auth/token_url': auth.token_url } : {}),
    }),
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
    replacedBy: GIVEN_SECRET,
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
    ...WEBHOOK_SETTINGS.command,
    examples: [
      [
        'postrider channels create-webhook --environment env_01… --name ERP --url https://erp.example.com/in ' +
          "--event-keys 'order.*'",
        'For all events that begin with order.',
      ],
    ],
  },
  loadSender: async () => ({ createSender: (await import('./sender.ts')).createWebhookSender }),
});
