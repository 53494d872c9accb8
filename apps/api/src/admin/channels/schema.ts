import {
  CHANNEL_SETTINGS_RULES,
  CHANNEL_SETTINGS_SCHEMAS,
  type ChannelFault,
  EMAIL_CONFIG_RULES,
  EMAIL_CONFIG_SCHEMA,
  type EmailConfig,
  type RetryPolicy,
  WEBHOOK_CONFIG_RULES,
  WEBHOOK_CONFIG_SCHEMA,
  type WebhookConfig,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import type { Detail } from '../../http/reply.ts';
import { compileBody, type Rule, type ValidateBody, withRules } from '../../validation/body-validator.ts';
import { patchSchema } from '../patch.ts';

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

/** Body of POST /admin/v1/environments/{id}/channels: contract section 8. */
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

/** Faults of a config as those of the body that it stands in. */
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
