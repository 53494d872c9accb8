import { type ChannelKindDefinition, type ChannelRegistry, perRegistry } from '@postrider/channels';
import { readChannel } from '@postrider/db';
import {
  CHANNEL_SETTINGS_RULES,
  CHANNEL_SETTINGS_SCHEMAS,
  type ChannelIssue,
  type ChannelKind,
  type ChannelRecord,
  type ChannelSettings,
  type ChannelTarget,
  type CredentialChanges,
  credentialsSet,
  type Detail,
  fields,
  isJsonObject,
  type JsonObject,
  TEST_EVENT_KEY,
  TEST_PAYLOAD,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import { type BodyOf, closedObject, type Schemas, titled, wholeNumber } from '../../openapi/schema.ts';
import { compileBody, type Rule, type ValidateBody, withRules } from '../../validation/body.ts';
import type { Named } from '../operation.ts';
import { patchSchema } from '../schemas.ts';
import { schemaName } from './response-schemas.ts';

export const CHANNEL_PATH = '/admin/v1/channels/{channelId}';

/** How paths identify a channel. */
export const CHANNEL: Named<ChannelRecord> = { name: 'channelId', read: readChannel };

export type ChannelBody = ChannelSettings & {
  readonly kind: ChannelKind;
  /** The config of the kind. Null means "not set", so that a presented config can be sent back. */
  readonly config: JsonObject;
};

function bodyOf(definition: ChannelKindDefinition): SchemaObject {
  const { kind, config } = definition;
  return {
    type: 'object',
    title: `New${schemaName(definition)}`,
    required: ['kind', 'name', 'config'],
    additionalProperties: false,
    properties: {
      kind: { type: 'string', enum: [kind], description: 'It cannot be changed.' },
      ...CHANNEL_SETTINGS_SCHEMAS,
      config: titled(`New${schemaName(definition)}Config`, config.schema),
    },
  };
}

/** Body of POST /admin/v1/environments/{id}/channels (docs/specification.md, "Channels"). */
export const channelBodySchema = perRegistry(
  ({ definitions }): SchemaObject => ({
    type: 'object',
    discriminator: { propertyName: 'kind' },
    oneOf: definitions.map(bodyOf),
  }),
);

/** Body of PATCH /admin/v1/channels/{id}: a JSON Merge Patch. The channel's kind decides which configs are valid. */
export const CHANNEL_PATCH_SCHEMA = patchSchema(
  closedObject(['name', 'enabled', 'event_keys', 'config'], {
    ...CHANNEL_SETTINGS_SCHEMAS,
    config: {
      type: 'object',
      additionalProperties: true,
      description: 'Fields of the config of the channel’s kind, as in its creation; null removes one.',
    },
  }),
);

/** Optional body of POST /admin/v1/channels/{id}/rotate-secret. */
export const ROTATE_SECRET_BODY_SCHEMA = closedObject([], {
  overlap_seconds: wholeNumber(
    0,
    2_592_000,
    86_400,
    'How long both secrets sign, at most 30 days; 0 ends the old one immediately.',
  ),
});

/** Prefixes issues of a config with its path in the body. */
function inConfig(issues: readonly ChannelIssue[]): Detail[] {
  return issues.map(({ path, ...issue }) => ({ path: `/config${path}`, ...issue }));
}

/** The paths that a rule of a kind reads, with the prefix of the config. */
const readsOf = (prefix: string, reads: readonly string[]) => [
  '/kind',
  ...reads.map((path) => prefix + path),
];

const rulesOf = ({ kind, config }: ChannelKindDefinition): Rule<ChannelBody>[] =>
  config.rules.map(({ reads, issuesOf }) => ({
    reads: readsOf('/config', reads),
    issuesOf: (body: ChannelBody) => (body.kind === kind ? inConfig(issuesOf(body.config)) : []),
  }));

/**
 * An operational channel of a kind that needs an address gets it from its settings, because the event has no
 * recipient. Null chooses the contacts of consumers.
 */
const addressRule = ({ kind, recipientFields }: ChannelKindDefinition): Rule<ChannelBody> => ({
  reads: ['/kind', '/operational', '/operational_email'],
  issuesOf: (body) =>
    body.kind === kind &&
    recipientFields.includes('email') &&
    body.operational &&
    body.operational_email === undefined
      ? [
          {
            path: '/operational_email',
            code: 'required',
            message:
              'is required by an operational channel of this kind: an address, or null for the contacts of consumers',
          },
        ]
      : [],
});

/** Validates a whole channel without its secret: the body of a POST, or the result of a PATCH. */
export const channelValidator = perRegistry(
  (kinds): ValidateBody<ChannelBody> =>
    withRules(compileBody<ChannelBody>(channelBodySchema(kinds)), [
      ...CHANNEL_SETTINGS_RULES.map(({ reads, issuesOf }) => ({
        reads: readsOf('', reads),
        issuesOf: issuesOf,
      })),
      ...kinds.definitions.flatMap(rulesOf),
      ...kinds.definitions.map(addressRule),
    ]),
);

const { event_key, recipient, payload } = EVENT_BODY_SCHEMA.properties;

/** Optional body of POST /admin/v1/channels/{id}/test: an event with defaults. */
export const TEST_BODY_SCHEMA = closedObject([], {
  event_key: {
    ...event_key,
    default: TEST_EVENT_KEY,
    description: 'The event key whose active template is used; the channel need not take it.',
  },
  recipient: {
    ...titled('Test recipient', recipient),
    default: {},
    description: 'The recipient; an email channel needs `email`.',
  },
  payload: { ...payload, default: TEST_PAYLOAD },
});

export type TestBody = BodyOf<typeof TEST_BODY_SCHEMA>;

/** The kind and stored config of a body, without secrets. */
export function toTarget(kinds: ChannelRegistry, { kind, config }: ChannelBody): ChannelTarget {
  return { kind, config: kinds.get(kind).config.toStored(config) };
}

const presentSettings = fields.presenterOf<Schemas>(CHANNEL_SETTINGS_SCHEMAS);

/** The body that would create this channel, without its secret. */
export const toChannelBody = ({ kind, config, ...settings }: ChannelRecord): JsonObject => ({
  kind,
  ...presentSettings(settings),
  config,
});

/** The changes of credentials that follow from the config of a request (`given`). `current` is null for a new channel. */
export function credentialChange(
  kinds: ChannelRegistry,
  current: ChannelRecord | null,
  { given, target }: { given: JsonObject[string] | undefined; target: ChannelTarget },
): { readonly changes: CredentialChanges; readonly issues: readonly Detail[] } {
  const kind = kinds.get(target.kind);
  if (!kind.credentials) return { changes: {}, issues: [] };
  const before = current && {
    config: current.config,
    credentials: new Set(credentialsSet(current, kind)),
  };
  const config = given !== undefined && isJsonObject(given) ? given : {};
  const { changes, issues } = kind.credentials.change(before, { given: config, config: target.config });
  return { changes, issues: inConfig(issues) };
}
