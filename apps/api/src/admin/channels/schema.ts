import {
  type ChannelKindDefinition,
  type ChannelRegistry,
  type CredentialChanges,
  perRegistry,
} from '@postrider/channels';
import {
  CHANNEL_SETTINGS_RULES,
  CHANNEL_SETTINGS_SCHEMAS,
  type ChannelIssue,
  type ChannelKind,
  type ChannelRecord,
  type ChannelTarget,
  credentialsSet,
  type FailurePolicy,
  HEALTH_REASONS,
  HEALTH_STATES,
  isJsonObject,
  type JsonObject,
  type OnExhausted,
  type Ordering,
  type RetryPolicy,
  SENDER_STATES,
  TEST_EVENT_KEY,
  TEST_PAYLOAD,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import type { Detail } from '../../http/reply.ts';
import {
  count,
  id,
  list,
  nullable,
  oneOf,
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

export const CHANNEL_PATH = '/admin/v1/channels/{channelId}';

export interface ChannelBody {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly enabled?: boolean;
  readonly event_keys?: string[];
  readonly retry?: RetryPolicy;
  readonly filter?: JsonObject | null;
  readonly failure_policy?: Partial<FailurePolicy>;
  readonly operational?: boolean;
  readonly operational_email?: string | null;
  readonly ordering?: Ordering;
  readonly on_exhausted?: OnExhausted;
  readonly max_per_second?: number | null;
  readonly max_in_flight?: number | null;
  /** The config of the kind. Null means "not set", so that a presented config can be sent back. */
  readonly config: JsonObject;
}

function bodyOf({ kind, label, config }: ChannelKindDefinition): SchemaObject {
  return {
    type: 'object',
    title: label.charAt(0).toUpperCase() + label.slice(1),
    required: ['kind', 'name', 'config'],
    additionalProperties: false,
    properties: {
      kind: { type: 'string', const: kind, description: 'It cannot be changed.' },
      ...CHANNEL_SETTINGS_SCHEMAS,
      config: config.schema,
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

/** Optional body of POST /admin/v1/channels/{id}/rotate-secret. */
export const ROTATE_SECRET_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    overlap_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 2_592_000,
      default: 86_400,
      description: 'How long both secrets sign, at most 30 days; 0 ends the old one immediately.',
    },
  },
} as const satisfies SchemaObject;

export interface RotateSecretBody {
  readonly overlap_seconds?: number;
}

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
 * recipient.
 */
const addressRule = ({ kind, recipientFields }: ChannelKindDefinition): Rule<ChannelBody> => ({
  reads: ['/kind', '/operational', '/operational_email'],
  issuesOf: (body) =>
    body.kind === kind && recipientFields.includes('email') && body.operational && !body.operational_email
      ? [
          {
            path: '/operational_email',
            code: 'required',
            message: 'is required by an operational channel of this kind',
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
export const TEST_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    event_key: {
      ...event_key,
      default: TEST_EVENT_KEY,
      description: 'The event key whose active template is used; the channel need not take it.',
    },
    recipient: { ...recipient, default: {}, description: 'The recipient; an email channel needs `email`.' },
    payload: { ...payload, default: TEST_PAYLOAD },
  },
} as const satisfies SchemaObject;

export interface TestBody {
  readonly event_key?: string;
  readonly recipient?: JsonObject;
  readonly payload?: JsonObject;
}

const flag = (description: string): Schema => ({ type: 'boolean', description });

const { retry, event_keys, filter, failure_policy, ordering, on_exhausted, max_per_second, max_in_flight } =
  CHANNEL_SETTINGS_SCHEMAS;

const { default: _noPolicy, ...retrySchema } = retry;

const { default: _noPatterns, ...patternsSchema } = event_keys;

const { default: _noFilter, ...filterSchema } = filter;

const { default: _noOrdering, ...orderingSchema } = ordering;

const { default: _noOutcome, ...onExhaustedSchema } = on_exhausted;

const { default: _noRate, ...maxPerSecondSchema } = max_per_second;

const { default: _noSlots, ...maxInFlightSchema } = max_in_flight;

const { default: _noFailurePolicy, ...failurePolicySchema } = failure_policy;

const healthSchema = record('The health of the channel: docs/specification.md, "Channel health".', {
  state: oneOf(HEALTH_STATES, 'Runs of a `paused` channel are held.'),
  reason: nullable(oneOf(HEALTH_REASONS, 'Why it is not `ok`; null if it is.')),
  failing_since: optionalTime('The first failure since its last success.'),
  last_success_at: optionalTime('When an attempt last succeeded, with a precision of ten seconds.'),
  next_probe_at: optionalTime('When the next probe may start; null if only an operator can resume it.'),
  waiting: count('Held runs, counted up to 10,000.'),
});

/** The states of a channel's senders. */
const SENDERS: Schema = {
  type: 'array',
  items: record('A sender and whether it works.', {
    name: text('In the config.'),
    provider: text('How it sends.'),
    state: oneOf(
      SENDER_STATES,
      '`open`: it failed several times in a row and is tried only after all others. `half_open`: one mail at a ' +
        'time tests it again. Each process decides for itself; this is the latest state of any of them.',
    ),
    since: optionalTime('Since when; null if it has always worked.'),
    reason: nullable(text('The last failure, while it is not closed.')),
  }),
};

const fieldsOf = ({ kind, config, sendersOf }: ChannelKindDefinition): Readonly<Record<string, Schema>> => ({
  id: id('chn', 'The channel.'),
  environment_id: id('env', 'Its environment.'),
  kind: { type: 'string', const: kind },
  name: text('A name for people.'),
  enabled: flag('Whether it takes events.'),
  disabled_reason: nullable(text('Why the service disabled it, or null.')),
  event_keys: patternsSchema,
  config: config.presentedSchema,
  retry: retrySchema,
  filter: filterSchema,
  failure_policy: { ...failurePolicySchema, required: Object.keys(failurePolicySchema.properties) },
  operational: flag('Whether it takes operational events, and no others.'),
  operational_email: nullable(text('The recipient of an operational email channel.')),
  ordering: orderingSchema,
  on_exhausted: onExhaustedSchema,
  max_per_second: maxPerSecondSchema,
  max_in_flight: maxInFlightSchema,
  health: healthSchema,
  password_set: flag('Whether the password of the only SMTP server is stored.'),
  credentials_set: {
    type: 'array',
    items: { type: 'string' },
    description:
      'The names of the stored credentials, such as `senders/smtp/password`: their place in the config. Their values are never shown.',
  },
  ...(sendersOf ? { senders: SENDERS } : {}),
  previous_secret_expires_at: optionalTime('Until when the previous secret also signs.'),
  feedback_token_set: flag('Whether it has a feedback token.'),
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
});

const secret: Schema = nullable(
  text('The signing secret of a webhook, `whsec_…`. Only this response contains it. Null for other kinds.'),
);

/** The schema name of a kind's channels: `EmailChannel`. */
const schemaName = ({ kind }: ChannelKindDefinition) =>
  `${kind
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Channel`;

const either = (schemas: readonly Schema[]): Schema => ({ oneOf: schemas });

/** Response schemas (docs/specification.md, "Channels"). */
export function channelSchemas(registry: ChannelRegistry): Readonly<Record<string, Schema>> {
  const { definitions, kinds } = registry;
  const schemas = definitions.map((definition) => [
    schemaName(definition),
    record(definition.description, fieldsOf(definition)),
  ]);
  return {
    ...Object.fromEntries(schemas),
    ConfiguredChannel: either(definitions.map((definition) => ref(schemaName(definition)))),
    FeedbackToken: record('The new feedback token of a channel. Only this response contains it.', {
      channel_id: id('chn', 'The channel.'),
      feedback_token: text('`fb_…`; anyone who has it can report.'),
      feedback_path: text('The path for feedback: append the name of the provider, or `dsn`.'),
      feedback_url: nullable(
        text('The complete address for the provider; null if `PUBLIC_URL` is not configured.'),
      ),
      sources: list(text('A name to append.'), 'The sources of feedback for this kind of channel.'),
    }),
    ConfiguredChannelList: pageOf('ConfiguredChannel', 'A page of channels, newest first.'),
    ChannelWithSecret: either(
      kinds
        .map((kind) => registry.get(kind))
        .map((definition) => record(definition.description, { ...fieldsOf(definition), secret })),
    ),
  };
}

/** The kind and stored config of a body, without secrets. */
export function toTarget(kinds: ChannelRegistry, { kind, config }: ChannelBody): ChannelTarget {
  return { kind, config: kinds.get(kind).config.toStored(config) };
}

/** The body that would create this channel, without its secret. */
export function toChannelBody(channel: ChannelRecord): JsonObject {
  const { kind, name, enabled, eventKeys, config, retry, filter, failurePolicy } = channel;
  return {
    ...{ kind, name, enabled, event_keys: [...eventKeys], config, retry, filter },
    ...{ failure_policy: failurePolicy, operational: channel.operational },
    operational_email: channel.operationalEmail,
    ordering: channel.ordering,
    on_exhausted: channel.onExhausted,
    max_per_second: channel.maxPerSecond,
    max_in_flight: channel.maxInFlight,
  };
}

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
