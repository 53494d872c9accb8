import type { Field, FormShape } from '../../../ui/fields.ts';
import { choice, json, pairs, secret, secrets, several, text } from '../../../ui/fields.ts';
import { certificates, common, EVENTS, is, NAME } from './shared.ts';

const AUTH = 'config.auth.type';
const SIGNATURE = 'config.signature.type';
const BODY = 'config.body';

const withBasic = { when: is(AUTH, 'basic') };
const withOauth = { when: is(AUTH, 'oauth2') };
const login: readonly Field[] = [
  choice(AUTH, 'Log in with', {
    none: 'No login',
    clears: 'config.auth',
    options: {
      basic: 'User name and password',
      bearer: 'Bearer token',
      oauth2: 'OAuth 2.0 client credentials',
    },
  }),
  text('config.auth.username', 'User name', withBasic),
  secret('config.auth.password', 'Password', withBasic),
  secret('config.auth.token', 'Token', { when: is(AUTH, 'bearer') }),
  text('config.auth.token_url', 'Token address', {
    placeholder: 'https://login.example.com/token',
    ...withOauth,
  }),
  text('config.auth.client_id', 'Client id', withOauth),
  secret('config.auth.client_secret', 'Client secret', withOauth),
  text('config.auth.scope', 'Scope', withOauth),
  text('config.auth.audience', 'Audience', withOauth),
  choice('config.auth.client_authentication', 'Send id and secret in', {
    none: 'A header (default)',
    options: { header: 'A header', body: 'The form' },
    ...withOauth,
  }),
];

const body: readonly Field[] = [
  choice(BODY, 'Body format', {
    none: 'Standard (default)',
    options: {
      standard: 'Standard: the template of the event, or all of it',
      thin: 'Thin: ids only',
      'cloudevents-structured': 'CloudEvents, structured',
      'cloudevents-binary': 'CloudEvents, binary',
      template: 'A template of this channel',
      slack: 'Slack message',
      teams: 'Microsoft Teams message',
      discord: 'Discord message',
      pagerduty: 'PagerDuty event',
    },
  }),
  json('config.template', 'Template of this channel (JSON)', {
    hint: 'Its strings are templates, such as "{{ payload.order_id }}".',
    when: (value) => !is(BODY, undefined, 'standard', 'thin')(value),
  }),
  text('config.cloudevents_source', 'Source', {
    isKept: true,
    placeholder: 'postrider',
    when: is(BODY, 'cloudevents-structured', 'cloudevents-binary', 'pagerduty'),
  }),
];

const custom = { when: is(SIGNATURE, 'custom') };
const signature: readonly Field[] = [
  choice(SIGNATURE, 'Sign like', {
    none: 'Standard Webhooks (default)',
    clears: 'config.signature',
    options: {
      standard: 'Standard Webhooks, with other settings',
      github: 'GitHub: X-Hub-Signature-256',
      stripe: 'Stripe: Stripe-Signature',
      custom: 'A header of your own',
      none: 'Do not sign',
    },
  }),
  secret('config.signature.secret', 'Existing secret of the receiver', {
    hint: 'Instead of the generated one.',
    when: (value) => !is(SIGNATURE, undefined, 'none')(value),
  }),
  text('config.signature.header_prefix', 'Prefix of the headers', {
    placeholder: 'webhook-',
    when: is(SIGNATURE, 'standard'),
  }),
  text('config.signature.header', 'Header', {
    placeholder: 'X-Signature',
    when: is(SIGNATURE, 'github', 'stripe', 'custom'),
  }),
  choice('config.signature.algorithm', 'Hash', {
    none: 'SHA-256 (default)',
    options: { sha256: 'SHA-256', sha512: 'SHA-512', sha1: 'SHA-1' },
    ...custom,
  }),
  choice('config.signature.encoding', 'Encoding', {
    none: 'Hexadecimal (default)',
    options: { hex: 'Hexadecimal', base64: 'Base64' },
    ...custom,
  }),
  text('config.signature.signed_text', 'What is signed', {
    placeholder: '{body}',
    hint: '{body}, {id} and {timestamp} are replaced.',
    ...custom,
  }),
  text('config.signature.value', 'Value of the header', { placeholder: '{signature}', ...custom }),
  text('config.signature.timestamp_header', 'Timestamp header', custom),
  text('config.signature.id_header', 'Id header', custom),
  several('config.signatures', 'Signature versions', {
    usual: ['v1'],
    isKept: true,
    options: { v1: 'v1, with the secret', v1a: 'v1a, with a public key' },
    when: is(SIGNATURE, undefined, 'standard'),
  }),
];

export const WEBHOOK: FormShape = {
  first: [
    NAME,
    text('config.url', 'Address', {
      required: true,
      placeholder: 'https://example.com/hooks',
      hint: 'Each event is posted to it.',
    }),
    EVENTS,
  ],
  advanced: [
    { title: 'Body', fields: body },
    { title: 'Login', fields: login },
    {
      title: 'Headers',
      fields: [
        pairs('config.headers', 'Headers', {
          hint: 'One “Name: value” per line. Everybody who sees the channel sees them.',
        }),
        secrets('config.secret_headers', 'Secret headers', { hint: 'Stored encrypted and never shown.' }),
      ],
    },
    { title: 'Signature', fields: signature },
    { title: 'Certificates', fields: certificates('config.tls') },
    ...common('15'),
  ],
};
