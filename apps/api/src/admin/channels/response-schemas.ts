import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import {
  ATTEMPT_STATUSES,
  CHANNEL_SETTINGS_SCHEMAS,
  CHANNEL_STATES,
  HEALTH_REASONS,
  HEALTH_STATES,
  SENDER_STATES,
} from '@postrider/domain';
import * as json from '../../openapi/schema.ts';
import { withoutDefaults } from '../schemas.ts';

const { retry, event_keys, filter, failure_policy, ordering, on_exhausted, max_per_second, max_in_flight } =
  withoutDefaults(CHANNEL_SETTINGS_SCHEMAS);

/** Why a channel is not `ok`, and what follows. */
export const HEALTH_FIELDS = {
  reason: json.nullable(json.oneOf(HEALTH_REASONS, 'Why it is not `ok`; null if it is.')),
  failing_since: json.optionalTime('The first failure since its last success.'),
  next_probe_at: json.optionalTime('When the next probe may start; null if only an operator can resume it.'),
};

const healthSchema = json.titled(
  'Channel health',
  json.record('The health of the channel: docs/specification.md, "Channel health".', {
    state: json.oneOf(HEALTH_STATES, 'Runs of a `paused` channel are held.'),
    ...HEALTH_FIELDS,
    last_success_at: json.optionalTime('When an attempt last succeeded, with a precision of ten seconds.'),
    waiting: json.count('Held runs, counted up to 10,000.'),
  }),
);

const stateSchema = json.titled(
  'Channel state',
  json.record(
    'The state of the channel, and what it has done lately: docs/specification.md, "Channel health".',
    {
      code: json.oneOf(
        CHANNEL_STATES,
        '`failing`: three failures in a row, or one and no success in a day. `paused`: its runs are held; `probing`: one of them tests it. `blocked`: it ' +
          'has ordering keys that wait for somebody. `no_traffic`: no attempt yet.',
      ),
      since: json.optionalTime('Since when it is failing, paused or blocked; null in other states.'),
      reason: json.nullable(json.oneOf(HEALTH_REASONS, 'Why it is failing or paused.')),
      next_probe_at: json.optionalTime(
        'When the next probe of a paused channel may start; null if somebody must resume it.',
      ),
      blocked_keys: json.count(
        'Its blocked ordering keys, counted up to 1,000, and up to 50,000 for a page of channels.',
      ),
      last_reply: json.nullable(
        json.titled(
          'Last reply',
          json.record(
            'The newest attempt that ended, of the newest runs. Null for callers without `messages:read`.',
            {
              at: json.time('When it ended.'),
              outcome: json.oneOf(ATTEMPT_STATUSES, 'The status of the attempt.'),
              status_code: json.nullable({ type: 'integer', description: 'HTTP status or SMTP reply code.' }),
              error_code: json.nullable(json.text('The error code of the attempt.')),
              error_message: json.nullable(json.text('The error in words.')),
              message_id: json.id('msg', 'Its message.'),
              delivery_run_id: json.id('run', 'Its delivery run.'),
              attempt: json.ordinal('Its number.'),
            },
          ),
        ),
      ),
      success_rate: json.nullable({
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: 'The share of attempts that succeeded in these hours; null without attempts.',
      }),
      hours: json.list(
        json.titled(
          'Attempts of an hour',
          json.record('The attempts of an hour.', {
            start: json.time('Its start (UTC).'),
            succeeded: json.count('Attempts that succeeded.'),
            failed: json.count('Attempts that failed, or whose outcome is unknown.'),
          }),
        ),
        'The last 24 hours, oldest first; the last one is running. Empty for a new channel. A few seconds behind.',
      ),
    },
  ),
);

/** The states of a channel's senders. */
const SENDERS: json.Schema = {
  type: 'array',
  items: json.titled(
    'Sender state',
    json.record('A sender and whether it works.', {
      name: json.text('In the config.'),
      provider: json.text('How it sends.'),
      state: json.oneOf(
        SENDER_STATES,
        '`open`: it failed several times in a row and is tried only after all others. `half_open`: one mail at a ' +
          'time tests it again. Each process decides for itself; this is the latest state of any of them.',
      ),
      since: json.optionalTime('Since when; null if it has always worked.'),
      reason: json.nullable(json.text('The last failure, while it is not closed.')),
    }),
  ),
};

function fieldsOf(definition: ChannelKindDefinition): json.Schemas {
  const { kind, config, accountsOf } = definition;
  return {
    id: json.id('chn', 'The channel.'),
    environment_id: json.id('env', 'Its environment.'),
    consumer: json.nullable(json.text('The consumer that it belongs to; null: the environment itself.')),
    kind: { type: 'string', enum: [kind] },
    name: json.text('A display name.'),
    enabled: json.flag('Whether it takes events.'),
    disabled_reason: json.nullable(json.text('Why the service disabled it, or null.')),
    event_keys: json.titled('Event patterns', event_keys),
    config: json.titled(`${schemaName(definition)}Config`, config.presentedSchema),
    retry: json.titled('Retry policy', retry),
    filter: json.titled('Event filter', filter),
    failure_policy: {
      ...json.titled('Failure policy', failure_policy),
      required: Object.keys(failure_policy.properties),
    },
    operational: json.flag('Whether it takes operational events, and no others.'),
    operational_email: json.nullable(json.text('The recipient of an operational email channel.')),
    public_only: json.flag(
      'Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the ' +
        'environment created it or changed its `config` last.',
    ),
    ordering: json.titled('Channel order', ordering),
    on_exhausted: json.titled('On exhausted', on_exhausted),
    max_per_second,
    max_in_flight,
    state: stateSchema,
    health: healthSchema,
    password_set: json.flag('Whether the password of the only SMTP server is stored.'),
    credentials_set: json.titled('Stored credentials', {
      type: 'array',
      items: { type: 'string' },
      description:
        'The names of the stored credentials, such as `senders/smtp/password`: their paths in the config. Their ' +
        'values are never shown.',
    }),
    ...(accountsOf ? { senders: SENDERS } : {}),
    previous_secret_expires_at: json.optionalTime('Until when the previous secret also signs.'),
    feedback_token_set: json.flag('Whether it has a feedback token.'),
    created_at: json.time('When it was created.'),
    updated_at: json.time('When it was last changed.'),
  };
}

const secret: json.Schema = json.nullable(
  json.text(
    'The signing secret of a webhook, `whsec_…`. Only this response contains it. Null for other kinds, and if a given secret signs.',
  ),
);

/** The schema name of a kind's channels: `EmailChannel`. */
export const schemaName = ({ kind }: ChannelKindDefinition) => `${json.pascalCase(kind)}Channel`;

const byKind = (names: readonly string[]): json.Schema => ({
  discriminator: { propertyName: 'kind' },
  oneOf: names.map(json.ref),
});

/** Response schemas (docs/specification.md, "Channels"). */
export function channelSchemas(registry: ChannelRegistry): json.Schemas {
  const { definitions } = registry;
  const schemas = definitions.flatMap((definition) => [
    [schemaName(definition), json.record(definition.description, fieldsOf(definition))],
    [
      `${schemaName(definition)}WithSecret`,
      json.record(definition.description, { ...fieldsOf(definition), secret }),
    ],
  ]);
  return {
    ...Object.fromEntries(schemas),
    ConfiguredChannel: byKind(definitions.map(schemaName)),
    FeedbackToken: json.record('The new feedback token of a channel. Only this response contains it.', {
      channel_id: json.id('chn', 'The channel.'),
      feedback_token: json.text('`fb_…`; anyone who has it can report.'),
      feedback_path: json.text('The path for feedback: append the name of the provider, or `dsn`.'),
      feedback_url: json.nullable(
        json.text('The complete address for the provider; null if `PUBLIC_URL` is not configured.'),
      ),
      sources: json.list(json.text('A name to append.'), 'The sources of feedback for this kind of channel.'),
    }),
    ConfiguredChannelList: json.pageOf('ConfiguredChannel', 'A page of channels, newest first.'),
    ChannelWithSecret: byKind(definitions.map((definition) => `${schemaName(definition)}WithSecret`)),
  };
}
