import type { Field, FormShape } from '../../../ui/fields.ts';
import { certificates, common, EVENTS, is, NAME } from './shared.ts';

const AUTH = 'config.auth.type';
const SIGNATURE = 'config.signature.type';
const BODY = 'config.body';

const login: readonly Field[] = [
  {
    at: AUTH,
    label: 'Log in with',
    kind: 'choice',
    none: 'No login',
    clears: 'config.auth',
    options: [
      ['basic', 'User name and password'],
      ['bearer', 'Bearer token'],
      ['oauth2', 'OAuth 2.0 client credentials'],
    ],
  },
  { at: 'config.auth.username', label: 'User name', when: is(AUTH, 'basic') },
  { at: 'config.auth.password', label: 'Password', secret: true, when: is(AUTH, 'basic') },
  { at: 'config.auth.token', label: 'Token', secret: true, when: is(AUTH, 'bearer') },
  {
    at: 'config.auth.token_url',
    label: 'Token address',
    placeholder: 'https://login.example.com/token',
    when: is(AUTH, 'oauth2'),
  },
  { at: 'config.auth.client_id', label: 'Client id', when: is(AUTH, 'oauth2') },
  { at: 'config.auth.client_secret', label: 'Client secret', secret: true, when: is(AUTH, 'oauth2') },
  { at: 'config.auth.scope', label: 'Scope', when: is(AUTH, 'oauth2') },
  { at: 'config.auth.audience', label: 'Audience', when: is(AUTH, 'oauth2') },
  {
    at: 'config.auth.client_authentication',
    label: 'Send id and secret in',
    kind: 'choice',
    none: 'A header (default)',
    options: [
      ['header', 'A header'],
      ['body', 'The form'],
    ],
    when: is(AUTH, 'oauth2'),
  },
];

const body: readonly Field[] = [
  {
    at: BODY,
    label: 'Body format',
    kind: 'choice',
    none: 'Standard (default)',
    options: [
      ['standard', 'Standard: the template of the event, or all of it'],
      ['thin', 'Thin: ids only'],
      ['cloudevents-structured', 'CloudEvents, structured'],
      ['cloudevents-binary', 'CloudEvents, binary'],
      ['template', 'A template of this channel'],
      ['slack', 'Slack message'],
      ['teams', 'Microsoft Teams message'],
      ['discord', 'Discord message'],
      ['pagerduty', 'PagerDuty event'],
    ],
  },
  {
    at: 'config.template',
    label: 'Template of this channel (JSON)',
    kind: 'json',
    hint: 'Its strings are templates, such as "{{ payload.order_id }}".',
    when: (value) => !is(BODY, undefined, 'standard', 'thin')(value),
  },
  {
    at: 'config.cloudevents_source',
    label: 'Source',
    isKept: true,
    placeholder: 'postrider',
    when: is(BODY, 'cloudevents-structured', 'cloudevents-binary', 'pagerduty'),
  },
];

const custom = is(SIGNATURE, 'custom');
const signature: readonly Field[] = [
  {
    at: SIGNATURE,
    label: 'Sign like',
    kind: 'choice',
    none: 'Standard Webhooks (default)',
    clears: 'config.signature',
    options: [
      ['standard', 'Standard Webhooks, with other settings'],
      ['github', 'GitHub: X-Hub-Signature-256'],
      ['stripe', 'Stripe: Stripe-Signature'],
      ['custom', 'A header of your own'],
      ['none', 'Do not sign'],
    ],
  },
  {
    at: 'config.signature.secret',
    label: 'Existing secret of the receiver',
    secret: true,
    hint: 'Instead of the generated one.',
    when: (value) => !is(SIGNATURE, undefined, 'none')(value),
  },
  {
    at: 'config.signature.header_prefix',
    label: 'Prefix of the headers',
    placeholder: 'webhook-',
    when: is(SIGNATURE, 'standard'),
  },
  {
    at: 'config.signature.header',
    label: 'Header',
    placeholder: 'X-Signature',
    when: is(SIGNATURE, 'github', 'stripe', 'custom'),
  },
  {
    at: 'config.signature.algorithm',
    label: 'Hash',
    kind: 'choice',
    none: 'SHA-256 (default)',
    options: [
      ['sha256', 'SHA-256'],
      ['sha512', 'SHA-512'],
      ['sha1', 'SHA-1'],
    ],
    when: custom,
  },
  {
    at: 'config.signature.encoding',
    label: 'Encoding',
    kind: 'choice',
    none: 'Hexadecimal (default)',
    options: [
      ['hex', 'Hexadecimal'],
      ['base64', 'Base64'],
    ],
    when: custom,
  },
  {
    at: 'config.signature.signed_text',
    label: 'What is signed',
    placeholder: '{body}',
    hint: '{body}, {id} and {timestamp} are replaced.',
    when: custom,
  },
  { at: 'config.signature.value', label: 'Value of the header', placeholder: '{signature}', when: custom },
  { at: 'config.signature.timestamp_header', label: 'Timestamp header', when: custom },
  { at: 'config.signature.id_header', label: 'Id header', when: custom },
  {
    at: 'config.signatures',
    label: 'Signature versions',
    kind: 'several',
    usual: ['v1'],
    isKept: true,
    options: [
      ['v1', 'v1, with the secret'],
      ['v1a', 'v1a, with a public key'],
    ],
    when: is(SIGNATURE, undefined, 'standard'),
  },
];

export const WEBHOOK: FormShape = {
  first: [
    NAME,
    {
      at: 'config.url',
      label: 'Address',
      required: true,
      placeholder: 'https://example.com/hooks',
      hint: 'Each event is posted to it.',
    },
    EVENTS,
  ],
  advanced: [
    { title: 'Body', fields: body },
    { title: 'Login', fields: login },
    {
      title: 'Headers',
      fields: [
        {
          at: 'config.headers',
          label: 'Headers',
          kind: 'pairs',
          hint: 'One “Name: value” per line. Everybody who sees the channel sees them.',
        },
        {
          at: 'config.secret_headers',
          label: 'Secret headers',
          kind: 'secrets',
          hint: 'Stored encrypted and never shown.',
        },
      ],
    },
    { title: 'Signature', fields: signature },
    { title: 'Certificates', fields: certificates('config.tls') },
    ...common('15'),
  ],
};
