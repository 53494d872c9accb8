import { type ChannelIssue, KIND_FACTS } from '@postrider/domain';
import {
  CERTIFICATE_SETTINGS,
  type Certificates,
  certificateIssues,
  firstCertificate,
} from '../certificates.ts';
import { headerParser } from '../command.ts';
import { nullable, PATTERNS, requiredText } from '../schema.ts';
import { checked, defineSettings, settingGroup, timeoutSetting } from '../settings.ts';
import {
  AUTH_SETTING,
  repeatedHeaderIssues,
  SECRET_HEADERS_SETTING,
  type SecretHeaders,
  type WebhookAuth,
} from './authentication.ts';
import { type BodyConfig, DEFAULT_CLOUDEVENTS_SOURCE, WEBHOOK_BODIES, WITHOUT_TEMPLATE } from './bodies.ts';
import { isListenerUrl } from './request.ts';
import { SIGNATURE_SETTING, signatureIssues, type WebhookSignature } from './signature-schema.ts';
import { headerIssues, MAX_WEBHOOK_HEADERS, MAX_WEBHOOK_URL_LENGTH, urlProblem } from './url-rules.ts';

const SIGNATURES = ['v1', 'v1a'] as const;
type Signature = (typeof SIGNATURES)[number];

/** The stored config of a webhook channel (docs/specification.md, "Channels"), without secrets. */
export type WebhookConfig = BodyConfig & {
  url: string;
  headers?: Record<string, string>;
  secret_headers?: SecretHeaders;
  auth?: WebhookAuth;
  tls?: Pick<Certificates, 'ca' | 'certificate'> & { expires_at?: string };
  /** Signatures besides `v1`. */
  signatures?: Signature[];
  signature?: WebhookSignature;
  timeout_ms?: number;
};

const MAX_HEADER_VALUE_LENGTH = 2_048;

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

function tlsIssues({ tls, url }: WebhookConfig): ChannelIssue[] {
  if (!tls) return [];
  const issue = (message: string): ChannelIssue[] => [{ path: '/tls', code: 'invalid_value', message }];
  if (!/^https:/i.test(url)) return issue('must be null unless the URL is https');
  const issues = certificateIssues(tls, '/tls');
  if (issues.length > 0 || tls.ca || tls.certificate) return issues;
  return issue('must have ca, or certificate and private_key, or be null');
}

function authorizationIssues({ auth, headers, secret_headers }: WebhookConfig): ChannelIssue[] {
  const isTwice =
    auth && Object.keys({ ...headers, ...secret_headers }).some((name) => /^authorization$/i.test(name));
  const message = 'must be null while there is a header Authorization';
  return isTwice ? [{ path: '/auth', code: 'invalid_value', message }] : [];
}

/**
 * The settings of a webhook. Addresses are not checked here: `refusedEndpoints` does for literal ones, and each attempt for all,
 * because what a name resolves to changes.
 */
export const WEBHOOK_SETTINGS = defineSettings<WebhookConfig>(
  {
    url: {
      isRequired: true,
      schema: requiredText(
        MAX_WEBHOOK_URL_LENGTH,
        'An http or https URL without user name, password and fragment. Operators see it unchanged; the audit log ' +
          'stores it without query values and without path segments that could be a token. Whether its address may ' +
          'be called is checked at each attempt, when the name is resolved: private addresses are refused with ' +
          '`webhook_address_blocked`. A URL of `listen://` and a name delivers to `postrider listen`.',
      ),
      shown: 'An http or https URL.',
      issuesOf: checked(urlProblem),
      option: { flags: '--url <url>', description: 'the URL of the endpoint' },
    },
    headers: {
      schema: {
        type: 'object',
        maxProperties: MAX_WEBHOOK_HEADERS,
        additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_HEADER_VALUE_LENGTH },
        default: {},
        description:
          'Sent with each request. They are shown in responses, so do not put secrets in them. Names ' +
          'that frame the request, and those that begin with `webhook-`, `proxy-` or `postrider-`, ' +
          'are reserved.',
      },
      shown: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Sent with each request.',
      },
      issuesOf: headerIssues,
      option: {
        flags: '--header <header>',
        description: 'a header of each webhook, such as "X-Shop: 7"; repeatable',
        parse: headerParser('a value'),
      },
    },
    secret_headers: SECRET_HEADERS_SETTING,
    auth: AUTH_SETTING,
    tls: settingGroup(
      'Mutual TLS and private authorities. Only for https.',
      'Mutual TLS and private authorities.',
      {
        ca: CERTIFICATE_SETTINGS.ca,
        certificate: CERTIFICATE_SETTINGS.certificate,
        private_key: CERTIFICATE_SETTINGS.private_key,
        // Accepted so that a presented config can be sent back, as `expires_at`.
        subject: {
          schema: { type: ['string', 'null'], description: 'Ignored.' },
          shown: 'The subject of the certificate.',
          storedOf: () => undefined,
          shownOf: ({ certificate }) =>
            firstCertificate(String(certificate))?.subject.replaceAll('\n', ', ') ?? null,
        },
        expires_at: CERTIFICATE_SETTINGS.certificate_expires_at,
      },
    ),
    signatures: {
      schema: {
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
      shown: {
        type: 'array',
        items: { type: 'string', enum: [...SIGNATURES] },
        description: 'The signatures of each request.',
      },
      storedOf: (given) => (Array.isArray(given) && given.includes('v1a') ? [...SIGNATURES] : undefined),
    },
    body: {
      schema: {
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
      shown: { type: 'string', enum: WEBHOOK_BODIES, description: 'The form of the body.' },
      storedOf: (body) => (body === 'standard' ? undefined : body),
    },
    template: {
      schema: {
        type: ['object', 'null'],
        additionalProperties: true,
        default: null,
        description:
          'A JSON document of the channel whose strings are Liquid, as the body of a template; at most 16,384 characters. It replaces the ' +
          'body, or the data of a CloudEvent. Not for `standard` and `thin`.',
      },
      shown: nullable({
        type: 'object',
        additionalProperties: true,
        description: 'The template of the channel.',
      }),
    },
    cloudevents_source: {
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: 256,
        pattern: PATTERNS.visibleAscii.pattern,
        default: DEFAULT_CLOUDEVENTS_SOURCE,
        description: 'The `source` of CloudEvents and of PagerDuty events: a URI reference.',
      },
      shown: 'The source of CloudEvents.',
      storedOf: (source) => (source === DEFAULT_CLOUDEVENTS_SOURCE ? undefined : source),
    },
    signature: SIGNATURE_SETTING,
    timeout_ms: timeoutSetting(KIND_FACTS.webhook),
  },
  {
    description: 'Configuration of the webhook.',
    rules: [
      { reads: ['/headers', '/secret_headers'], issuesOf: repeatedHeaderIssues },
      { reads: ['/signature', '/headers', '/secret_headers', '/signatures'], issuesOf: signatureIssues },
      { reads: ['/template', '/body'], issuesOf: templateIssues },
      { reads: ['/url', '/auth', '/secret_headers', '/tls'], issuesOf: listenerIssues },
      { reads: ['/tls', '/url'], issuesOf: tlsIssues },
      { reads: ['/auth', '/headers', '/secret_headers'], issuesOf: authorizationIssues },
    ],
  },
);
