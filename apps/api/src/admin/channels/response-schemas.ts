import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import {
  ATTEMPT_STATUSES,
  CHANNEL_SETTINGS_SCHEMAS,
  CHANNEL_STATES,
  HEALTH_REASONS,
  HEALTH_STATES,
  SENDER_STATES,
} from '@postrider/domain';
import {
  count,
  id,
  list,
  nullable,
  oneOf,
  optionalTime,
  ordinal,
  pageOf,
  pascalCase,
  record,
  ref,
  type Schema,
  text,
  time,
  titled,
} from '../../openapi/schema.ts';
import { withoutDefaults } from '../schemas.ts';

const flag = (description: string): Schema => ({ type: 'boolean', description });

const { retry, event_keys, filter, failure_policy, ordering, on_exhausted, max_per_second, max_in_flight } =
  withoutDefaults(CHANNEL_SETTINGS_SCHEMAS);

const healthSchema = titled(
  'Channel health',
  record('The health of the channel: docs/specification.md, "Channel health".', {
    state: oneOf(HEALTH_STATES, 'Runs of a `paused` channel are held.'),
    reason: nullable(oneOf(HEALTH_REASONS, 'Why it is not `ok`; null if it is.')),
    failing_since: optionalTime('The first failure since its last success.'),
    last_success_at: optionalTime('When an attempt last succeeded, with a precision of ten seconds.'),
    next_probe_at: optionalTime('When the next probe may start; null if only an operator can resume it.'),
    waiting: count('Held runs, counted up to 10,000.'),
  }),
);

const stateSchema = titled(
  'Channel state',
  record('The state of the channel, and what it has done lately: docs/specification.md, "Channel health".', {
    code: oneOf(
      CHANNEL_STATES,
      '`failing`: three failures in a row, or one and no success in a day. `paused`: its runs are held; `probing`: one of them tests it. `blocked`: it ' +
        'has ordering keys that wait for somebody. `no_traffic`: no attempt yet.',
    ),
    since: optionalTime('Since when it is failing, paused or blocked; null in other states.'),
    reason: nullable(oneOf(HEALTH_REASONS, 'Why it is failing or paused.')),
    next_probe_at: optionalTime(
      'When the next probe of a paused channel may start; null if somebody must resume it.',
    ),
    blocked_keys: count('Its blocked ordering keys, counted up to 1,000, and of a page up to 50,000.'),
    last_reply: nullable(
      titled(
        'Last reply',
        record(
          'The newest attempt that ended, of the newest runs. Null for callers without `messages:read`.',
          {
            at: time('When it ended.'),
            outcome: oneOf(ATTEMPT_STATUSES, 'The status of the attempt.'),
            status_code: nullable({ type: 'integer', description: 'HTTP status or SMTP reply code.' }),
            error_code: nullable(text('The error code of the attempt.')),
            error_message: nullable(text('The error in words.')),
            message_id: id('msg', 'Its message.'),
            delivery_run_id: id('run', 'Its delivery run.'),
            attempt: ordinal('Its number.'),
          },
        ),
      ),
    ),
    success_rate: nullable({
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'The share of attempts that succeeded in these hours; null without attempts.',
    }),
    hours: list(
      titled(
        'Attempts of an hour',
        record('The attempts of an hour.', {
          start: time('Its start (UTC).'),
          succeeded: count('Attempts that succeeded.'),
          failed: count('Attempts that failed, or whose outcome is unknown.'),
        }),
      ),
      'The last 24 hours, oldest first; the last one is running. Empty for a new channel. Some seconds behind.',
    ),
  }),
);

/** The states of a channel's senders. */
const SENDERS: Schema = {
  type: 'array',
  items: titled(
    'Sender state',
    record('A sender and whether it works.', {
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
  ),
};

function fieldsOf(definition: ChannelKindDefinition): Readonly<Record<string, Schema>> {
  const { kind, config, sendersOf } = definition;
  return {
    id: id('chn', 'The channel.'),
    environment_id: id('env', 'Its environment.'),
    consumer: nullable(text('The consumer that it belongs to; null: the environment itself.')),
    kind: { type: 'string', enum: [kind] },
    name: text('A display name.'),
    enabled: flag('Whether it takes events.'),
    disabled_reason: nullable(text('Why the service disabled it, or null.')),
    event_keys: titled('Event patterns', event_keys),
    config: titled(`${schemaName(definition)}Config`, config.presentedSchema),
    retry: titled('Retry policy', retry),
    filter: titled('Event filter', filter),
    failure_policy: {
      ...titled('Failure policy', failure_policy),
      required: Object.keys(failure_policy.properties),
    },
    operational: flag('Whether it takes operational events, and no others.'),
    operational_email: nullable(text('The recipient of an operational email channel.')),
    public_only: flag(
      'Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the ' +
        'environment created it or changed its `config` last.',
    ),
    ordering: titled('Channel order', ordering),
    on_exhausted: titled('On exhausted', on_exhausted),
    max_per_second,
    max_in_flight,
    state: stateSchema,
    health: healthSchema,
    password_set: flag('Whether the password of the only SMTP server is stored.'),
    credentials_set: titled('Stored credentials', {
      type: 'array',
      items: { type: 'string' },
      description:
        'The names of the stored credentials, such as `senders/smtp/password`: their place in the config. Their values are never shown.',
    }),
    ...(sendersOf ? { senders: SENDERS } : {}),
    previous_secret_expires_at: optionalTime('Until when the previous secret also signs.'),
    feedback_token_set: flag('Whether it has a feedback token.'),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  };
}

const secret: Schema = nullable(
  text('The signing secret of a webhook, `whsec_…`. Only this response contains it. Null for other kinds.'),
);

/** The schema name of a kind's channels: `EmailChannel`. */
export const schemaName = ({ kind }: ChannelKindDefinition) => `${pascalCase(kind)}Channel`;

const byKind = (names: readonly string[]): Schema => ({
  discriminator: { propertyName: 'kind' },
  oneOf: names.map(ref),
});

/** Response schemas (docs/specification.md, "Channels"). */
export function channelSchemas(registry: ChannelRegistry): Readonly<Record<string, Schema>> {
  const { definitions } = registry;
  const schemas = definitions.flatMap((definition) => [
    [schemaName(definition), record(definition.description, fieldsOf(definition))],
    [
      `${schemaName(definition)}WithSecret`,
      record(definition.description, { ...fieldsOf(definition), secret }),
    ],
  ]);
  return {
    ...Object.fromEntries(schemas),
    ConfiguredChannel: byKind(definitions.map(schemaName)),
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
    ChannelWithSecret: byKind(definitions.map((definition) => `${schemaName(definition)}WithSecret`)),
  };
}
