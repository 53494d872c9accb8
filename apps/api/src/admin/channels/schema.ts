import type { ChannelRecord, ChannelTarget } from '@postrider/db';
import {
  CHANNEL_KINDS,
  CHANNEL_SETTINGS_RULES,
  CHANNEL_SETTINGS_SCHEMAS,
  type ChannelFault,
  type ChannelKind,
  EMAIL_CONFIG_RULES,
  EMAIL_CONFIG_SCHEMA,
  type EmailConfig,
  isJsonObject,
  type JsonObject,
  type PasswordChange,
  type RetryPolicy,
  TEST_EVENT_KEY,
  TEST_PAYLOAD,
  WEBHOOK_CONFIG_RULES,
  WEBHOOK_CONFIG_SCHEMA,
  type WebhookConfig,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import type { Detail } from '../../http/reply.ts';
import {
  id,
  nullable,
  optionalTime,
  pageOf,
  record,
  ref,
  type Schema,
  text,
  time,
} from '../../openapi/schema.ts';
import { compileBody, type Rule, type ValidateBody, withRules } from '../../validation/body.ts';
import { patchSchema } from '../schemas.ts';

interface Settings {
  readonly name: string;
  readonly enabled?: boolean;
  readonly event_keys?: string[];
  readonly retry?: RetryPolicy;
}

export interface WebhookBody extends Settings {
  readonly kind: 'webhook';
  readonly config: WebhookConfig;
}

/** Null stands for left out, so that what was read can be sent again. */
export interface EmailBody extends Settings {
  readonly kind: 'email';
  readonly config: {
    readonly smtp: {
      readonly host: string;
      readonly port: number;
      readonly secure?: boolean;
      readonly username?: string | null;
      readonly password?: string | null;
    };
    readonly from: { readonly email: string; readonly name?: string | null };
    readonly reply_to?: string | null;
    readonly timeout_ms?: number;
  };
}

export type ChannelBody = WebhookBody | EmailBody;

function bodyOf(kind: ChannelBody['kind'], title: string, config: SchemaObject): SchemaObject {
  return {
    type: 'object',
    title,
    required: ['kind', 'name', 'config'],
    additionalProperties: false,
    properties: {
      kind: { type: 'string', const: kind, description: 'It cannot be changed.' },
      ...CHANNEL_SETTINGS_SCHEMAS,
      config,
    },
  };
}

/** Body of POST /admin/v1/environments/{id}/channels: docs/specification.md, "Channels". */
export const CHANNEL_BODY_SCHEMA = {
  type: 'object',
  discriminator: { propertyName: 'kind' },
  oneOf: [
    bodyOf('webhook', 'A webhook channel', WEBHOOK_CONFIG_SCHEMA),
    bodyOf('email', 'An email channel', EMAIL_CONFIG_SCHEMA),
  ],
} as const satisfies SchemaObject;

/**
 * Body of PATCH /admin/v1/channels/{id}: a JSON Merge Patch. Which config is legal is for the channel's kind
 * to say.
 */
export const CHANNEL_PATCH_SCHEMA = patchSchema({
  type: 'object',
  required: ['name', 'enabled', 'event_keys', 'config'],
  additionalProperties: false,
  properties: {
    ...CHANNEL_SETTINGS_SCHEMAS,
    config: {
      type: 'object',
      additionalProperties: true,
      description: 'Fields of the config of the channel’s kind, as in its creation; null removes one.',
    },
  },
});

/** Body of POST /admin/v1/channels/{id}/rotate-secret, which may be left out. */
export const ROTATE_SECRET_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    overlap_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 2_592_000,
      default: 86_400,
      description: 'How long the old secret signs beside the new one, at most 30 days; 0 ends it at once.',
    },
  },
} as const satisfies SchemaObject;

export interface RotateSecretBody {
  readonly overlap_seconds?: number;
}

/** Issues of a config, with their paths in the body. */
export function inConfig(faults: readonly ChannelFault[]): Detail[] {
  return faults.map(({ path, ...fault }) => ({ path: `/config${path}`, ...fault }));
}

/** The kind says by which form the rest is judged. */
const readsOf = (prefix: string, reads: readonly string[]) => [
  '/kind',
  ...reads.map((path) => prefix + path),
];

const RULES: readonly Rule<ChannelBody>[] = [
  ...CHANNEL_SETTINGS_RULES.map(({ reads, faultsOf }) => ({ reads: readsOf('', reads), faultsOf })),
  ...WEBHOOK_CONFIG_RULES.map(({ reads, faultsOf }) => ({
    reads: readsOf('/config', reads),
    faultsOf: (body: ChannelBody) => (body.kind === 'webhook' ? inConfig(faultsOf(body.config)) : []),
  })),
  ...EMAIL_CONFIG_RULES.map(({ reads, faultsOf }) => ({
    reads: readsOf('/config', reads),
    faultsOf: (body: ChannelBody) =>
      body.kind === 'email' ? inConfig(faultsOf(body.config as EmailConfig)) : [],
  })),
];

/** Judges a whole channel, all but its credentials: the body of a POST, or what a PATCH makes of one. */
export const validateChannel: ValidateBody<ChannelBody> = withRules(
  compileBody<ChannelBody>(CHANNEL_BODY_SCHEMA),
  RULES,
);

const { event_key, recipient, payload } = EVENT_BODY_SCHEMA.properties;

/** Body of POST /admin/v1/channels/{id}/test, which may be left out: an event, less what has a default. */
export const TEST_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    event_key: {
      ...event_key,
      default: TEST_EVENT_KEY,
      description: 'Whose active template is used; the channel need not take it.',
    },
    recipient: { ...recipient, default: {}, description: 'Who it is for; an email channel needs `email`.' },
    payload: { ...payload, default: TEST_PAYLOAD },
  },
} as const satisfies SchemaObject;

export interface TestBody {
  readonly event_key?: string;
  readonly recipient?: JsonObject;
  readonly payload?: JsonObject;
}

const flag = (description: string): Schema => ({ type: 'boolean', description });

const wholeNumber = (description: string): Schema => ({ type: 'integer', description });

const CONFIGS: Readonly<Record<ChannelKind, Schema>> = {
  webhook: record('Where events are posted to.', {
    url: text('An http or https URL.'),
    headers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Sent with each request.',
    },
    timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
  }),
  email: record('The SMTP server that mail is handed to, and who it comes from.', {
    smtp: record('The password is never shown: see `password_set`.', {
      host: text('Host name or address.'),
      port: wholeNumber('TCP port.'),
      secure: flag('TLS from the first byte; otherwise STARTTLS.'),
      username: nullable(text('Null when the server wants none.')),
    }),
    from: record('The sender.', {
      email: text('One bare address.'),
      name: nullable(text('Shown to people.')),
    }),
    reply_to: nullable(text('One bare address.')),
    timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
  }),
};

const { retry, event_keys } = CHANNEL_SETTINGS_SCHEMAS;

const { default: _noPolicy, ...retrySchema } = retry;

const { default: _noPatterns, ...patternsSchema } = event_keys;

const fieldsOf = (kind: ChannelKind): Readonly<Record<string, Schema>> => ({
  id: id('chn', 'The channel.'),
  environment_id: id('env', 'Its environment.'),
  kind: { type: 'string', const: kind },
  name: text('For people.'),
  enabled: flag('Whether it takes events.'),
  disabled_reason: nullable(text('Why the service disabled it by itself; null otherwise.')),
  event_keys: patternsSchema,
  config: CONFIGS[kind],
  retry: retrySchema,
  password_set: flag('Whether an SMTP password is stored.'),
  previous_secret_expires_at: optionalTime('Until when the secret before the last rotation signs too.'),
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
});

const secret: Schema = nullable(
  text(
    'The signing secret of a webhook, `whsec_…`: in this answer and never again. Null for an email channel.',
  ),
);

const DESCRIPTIONS: Readonly<Record<ChannelKind, string>> = {
  webhook: 'A channel that posts to a URL.',
  email: 'A channel that sends mail.',
};

const either = (schemas: readonly Schema[]): Schema => ({ oneOf: schemas });

/** See docs/specification.md, "Channels". */
export const CHANNEL_SCHEMAS: Readonly<Record<string, Schema>> = {
  WebhookChannel: record(DESCRIPTIONS.webhook, fieldsOf('webhook')),
  EmailChannel: record(DESCRIPTIONS.email, fieldsOf('email')),
  ConfiguredChannel: either([ref('WebhookChannel'), ref('EmailChannel')]),
  ConfiguredChannelList: pageOf('ConfiguredChannel', 'A page of channels, newest first.'),
  ChannelWithSecret: either(
    CHANNEL_KINDS.map((kind) => record(DESCRIPTIONS[kind], { ...fieldsOf(kind), secret })),
  ),
};

/** The config of a body as it is stored: without the password, and without what was left out. */
export function toEmailConfig({ smtp, from, reply_to, timeout_ms }: EmailBody['config']): EmailConfig {
  const { host, port, secure = false, username } = smtp;
  return {
    smtp: { host, port, secure, ...(username ? { username } : {}) },
    from: { email: from.email, ...(from.name ? { name: from.name } : {}) },
    ...(reply_to ? { reply_to } : {}),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
  };
}

/** Where the channel of a body leads. */
export function toTarget(body: ChannelBody): ChannelTarget {
  return body.kind === 'webhook'
    ? { kind: body.kind, config: body.config }
    : { kind: body.kind, config: toEmailConfig(body.config) };
}

/** The body that would create this channel, but for its secret. */
export function toChannelBody({ kind, name, enabled, eventKeys, config, retry }: ChannelRecord): JsonObject {
  return { kind, name, enabled, event_keys: [...eventKeys], config, retry };
}

/** What a body or patch says of the password: left out it stays, null removes it. */
export function passwordChangeOf({ config }: JsonObject): PasswordChange {
  const smtp = isJsonObject(config) ? config.smtp : undefined;
  const password = isJsonObject(smtp) ? smtp.password : undefined;
  if (typeof password === 'string') return { kind: 'replace', password };
  return { kind: password === null ? 'remove' : 'keep' };
}
