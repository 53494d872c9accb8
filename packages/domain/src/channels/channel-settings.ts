import type { SchemaObject } from 'ajv';
import { MAX_EMAIL_ADDRESS_LENGTH } from '../email-address.ts';
import type { DetailCode } from '../error-codes.ts';
import { isEventPattern, MAX_EVENT_PATTERN_LENGTH } from '../event-key.ts';
import { defaultsOf, type SettingsOf } from '../fields.ts';
import { compileFilter } from '../filters/index.ts';
import { hasControlCharacter } from '../one-line.ts';
import { recordName, type SnakeCase } from '../present.ts';
import {
  DEFAULT_RETRY_POLICY,
  MAX_RETRY_ATTEMPTS,
  MAX_RETRY_DELAY_SECONDS,
  MAX_RETRY_FACTOR,
  type RetryPolicy,
  retryPolicyIssues,
} from '../retry-policy.ts';
import type { JsonObject } from '../storable-json.ts';
import { MAX_IN_FLIGHT, MAX_PER_SECOND } from './channel-limits.ts';
import { FAILURE_POLICY_SCHEMA, type FailurePolicy, failurePolicyIssues } from './failure-policy.ts';

/** An issue with the settings of a channel; `path` is a JSON Pointer into the checked value. */
export type ChannelIssue = { path: string; code: DetailCode; message: string };

/** A rule on `Body` that a JSON Schema cannot express. */
export interface ChannelRule<Body> {
  /** JSON Pointers to the values that the rule reads. It is only checked if these fulfil the schema. */
  readonly reads: readonly string[];
  readonly issuesOf: (body: Body) => ChannelIssue[];
}

/** Issues of a text: `problemOf` returns what it must be, or null. No issues without a text. */
export const checked =
  (problemOf: (text: string) => string | null) =>
  (path: string, text: string | null | undefined): ChannelIssue[] => {
    const message = typeof text === 'string' ? problemOf(text) : null;
    return message === null ? [] : [{ path, code: 'invalid_format', message }];
  };

/** Returns an issue if the text has line breaks or other control characters. */
export const lineIssues = checked((text) =>
  hasControlCharacter(text) ? 'must not contain line breaks or other control characters' : null,
);

/**
 * Bounds of an attempt's time limit in a config, in milliseconds. A lease lasts at least as long, so the upper bound
 * limits how late a lost run is retried.
 */
export const ATTEMPT_TIMEOUT_MS = { least: 1_000, most: 60_000 } as const;

/** The time limit of an attempt as a JSON Schema. */
export const timeoutSchema = (defaultMs: number) =>
  ({
    type: 'integer',
    minimum: ATTEMPT_TIMEOUT_MS.least,
    maximum: ATTEMPT_TIMEOUT_MS.most,
    default: defaultMs,
    description: 'Time limit of one attempt as a whole, in milliseconds.',
  }) as const;

/** Default event key and payload of a test send. */
export const TEST_EVENT_KEY = 'postrider.test';
export const TEST_PAYLOAD: JsonObject = { message: 'This is a test from Postrider.' };

/** An event creates a run for each channel that takes it, in one transaction. */
export const MAX_CHANNELS_PER_ENVIRONMENT = 100;
const MAX_NAME_LENGTH = 255;
const MAX_EVENT_PATTERNS = 100;

const delay = (description: string) =>
  ({ type: 'number', minimum: 0, maximum: MAX_RETRY_DELAY_SECONDS, description }) as const;

/** The orders in which a channel can send its runs (docs/specification.md, "Ordering"). */
export const ORDERINGS = ['none', 'key'] as const;
export type Ordering = (typeof ORDERINGS)[number];
export const ON_EXHAUSTED = ['block', 'skip'] as const;
export type OnExhausted = (typeof ON_EXHAUSTED)[number];
/** The longest ordering key, in characters. */
export const MAX_ORDERING_KEY_LENGTH = 255;

/** Settings that channels of every kind have. */
export const CHANNEL_SETTINGS_SCHEMAS = {
  name: { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH, description: 'A display name.' },
  enabled: {
    type: 'boolean',
    default: true,
    description: 'A disabled channel takes no events, and its due runs fail with `channel_disabled`.',
  },
  event_keys: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_EVENT_PATTERNS,
    uniqueItems: true,
    items: { type: 'string', maxLength: MAX_EVENT_PATTERN_LENGTH },
    default: ['*'],
    description: 'The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all.',
  },
  retry: {
    title: 'Retry policy input',
    type: 'object',
    required: ['max_attempts'],
    additionalProperties: false,
    default: DEFAULT_RETRY_POLICY,
    description:
      'Either `delays_seconds`, whose last value is used for all further attempts, or ' +
      '`base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts with which ' +
      'they were created.',
    properties: {
      max_attempts: { type: 'integer', minimum: 1, maximum: MAX_RETRY_ATTEMPTS },
      delays_seconds: {
        type: 'array',
        maxItems: MAX_RETRY_ATTEMPTS,
        items: { type: 'number', minimum: 0, maximum: MAX_RETRY_DELAY_SECONDS },
        description: 'May be empty when `max_attempts` is 1.',
      },
      base_seconds: delay('The delay before the second attempt.'),
      factor: {
        type: 'number',
        minimum: 1,
        maximum: MAX_RETRY_FACTOR,
        description: 'The ratio of each delay to the one before.',
      },
      max_seconds: delay('The longest delay.'),
    },
  },
  filter: {
    type: ['object', 'null'],
    additionalProperties: true,
    default: null,
    description:
      'Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as ' +
      '`{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter.',
  },
  failure_policy: FAILURE_POLICY_SCHEMA,
  operational: {
    type: 'boolean',
    default: false,
    description:
      'Whether the channel takes operational events of the service (such as `channel.paused`, ' +
      'selected by `event_keys`) and no others.',
  },
  operational_email: {
    type: ['string', 'null'],
    format: 'email',
    maxLength: MAX_EMAIL_ADDRESS_LENGTH,
    default: null,
    description:
      'The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel ' +
      'fails, is paused or recovers. Consumers are not told of a pause that somebody requested.',
  },
  ordering: {
    type: 'string',
    enum: ORDERINGS,
    default: 'none',
    description:
      '`key`: runs of events with the same `ordering_key` are sent one at a time, in the order in ' +
      'which the events were accepted. Events without a key, tests and replays ignore the order.',
  },
  on_exhausted: {
    type: 'string',
    enum: ON_EXHAUSTED,
    default: 'block',
    description:
      'What happens after a run of a key has failed permanently: `block` holds the later runs until ' +
      'an operator retries or skips it, `skip` continues with the next one.',
  },
  max_per_second: {
    type: ['number', 'null'],
    minimum: MAX_PER_SECOND.least,
    maximum: MAX_PER_SECOND.most,
    default: null,
    description:
      'The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means ' +
      'unlimited. Further runs wait in the order in which they are due.',
  },
  max_in_flight: {
    type: ['integer', 'null'],
    minimum: MAX_IN_FLIGHT.least,
    maximum: MAX_IN_FLIGHT.most,
    default: null,
    description:
      'The most attempts that are open at the same time, across all workers; null means unlimited.',
  },
} as const satisfies Record<string, SchemaObject>;

/** The settings of a channel besides its config. */
export type ChannelOptions = SettingsOf<Omit<typeof CHANNEL_SETTINGS_SCHEMAS, 'retry' | 'failure_policy'>> & {
  readonly retry: RetryPolicy;
  readonly failurePolicy: FailurePolicy;
  /** Whether it only connects to public addresses, because a token configured it. */
  readonly publicOnly: boolean;
};

const OPTIONS = [...Object.keys(CHANNEL_SETTINGS_SCHEMAS).map(recordName), 'publicOnly'];

/** The options in an object such as a row, without its other fields. */
export const channelOptionsOf = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => OPTIONS.includes(name))) as Pick<
    Row,
    keyof ChannelOptions & keyof Row
  >;

const { name: _name, failure_policy: _policy, ...WITH_DEFAULTS } = CHANNEL_SETTINGS_SCHEMAS;
/** Defaults of a channel's options. Those of the failure policy are in the database. */
export const CHANNEL_DEFAULTS: Omit<ChannelOptions, 'name' | 'failurePolicy'> = {
  publicOnly: false,
  ...defaultsOf(WITH_DEFAULTS),
};

/** The settings of a channel in a request. */
export type ChannelSettings = {
  readonly name: string;
  readonly failure_policy?: Partial<FailurePolicy>;
} & {
  readonly [Name in Exclude<
    keyof ChannelOptions,
    'name' | 'failurePolicy' | 'publicOnly'
  > as SnakeCase<Name>]?: ChannelOptions[Name] | undefined;
};

const patternIssues = checked((pattern) =>
  isEventPattern(pattern) ? null : 'must be an event key, the beginning of one and .* such as order.*, or *',
);

function retryIssues(policy: RetryPolicy): ChannelIssue[] {
  return retryPolicyIssues(policy).map(({ path, message }) => ({
    path: `/retry${path}`,
    code: 'invalid_value' as const,
    message,
  }));
}

/** The issues of a filter. Paths refer to a body with the filter as `filter`. */
export function filterIssues(filter: JsonObject | null): ChannelIssue[] {
  const compiled = filter === null ? null : compileFilter(filter);
  return compiled && !compiled.ok
    ? compiled.issues.map(({ path, ...issue }) => ({ path: `/filter${path}`, ...issue }))
    : [];
}

/** Rules on settings that fulfil {@link CHANNEL_SETTINGS_SCHEMAS}. */
export const CHANNEL_SETTINGS_RULES: readonly ChannelRule<ChannelSettings>[] = [
  { reads: ['/name'], issuesOf: ({ name }) => lineIssues('/name', name) },
  {
    reads: ['/event_keys'],
    issuesOf: ({ event_keys = [] }) =>
      event_keys.flatMap((pattern, index) => patternIssues(`/event_keys/${index}`, pattern)),
  },
  { reads: ['/retry'], issuesOf: ({ retry }) => (retry === undefined ? [] : retryIssues(retry)) },
  { reads: ['/filter'], issuesOf: ({ filter = null }) => filterIssues(filter) },
  { reads: ['/failure_policy'], issuesOf: ({ failure_policy }) => failurePolicyIssues(failure_policy) },
];
