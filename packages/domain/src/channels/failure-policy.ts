import type { SchemaObject } from 'ajv';

/** When a channel whose attempts all fail is reported, and what happens to it. Times are in seconds. */
export type FailurePolicy = {
  /** How long all attempts must fail before the channel is `failing`. */
  warn_after: number;
  /** How long all attempts must fail before {@link FailurePolicy.then} happens. */
  pause_after: number;
  /** The policy ignores fewer failed attempts than this. */
  min_attempts: number;
  then: 'pause' | 'disable';
  /** How long a run of a paused channel is held before it ends, counted from its due time. */
  max_age: number;
  /** The highest rate at which held runs are released after the channel has recovered. */
  release_per_second: number;
};

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Warn after an hour, pause after a day, end held runs after a week. */
export const DEFAULT_FAILURE_POLICY: FailurePolicy = {
  warn_after: HOUR,
  pause_after: DAY,
  min_attempts: 5,
  // biome-ignore lint/suspicious/noThenProperty: a field of the API with a string, never awaited as a promise
  then: 'pause',
  max_age: 7 * DAY,
  release_per_second: 100,
};

/** The highest counted number of failed attempts since the last success. */
export const MAX_COUNTED_FAILURES = 100;

const seconds = (minimum: number, maximum: number, description: string) =>
  ({ type: 'integer', minimum, maximum, description: `Seconds ${description}` }) as const;

export const FAILURE_POLICY_SCHEMA = {
  title: 'Failure policy input',
  type: 'object',
  additionalProperties: false,
  default: DEFAULT_FAILURE_POLICY,
  description: 'What happens when every attempt fails. Fields that are left out have their default.',
  properties: {
    warn_after: seconds(60, 7 * DAY, 'of failures without a success after which the channel is `failing`.'),
    pause_after: seconds(
      60,
      30 * DAY,
      'of failures without a success after which the channel is paused or disabled.',
    ),
    min_attempts: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_COUNTED_FAILURES,
      description: 'The number of failed attempts below which nothing happens.',
    },
    // biome-ignore lint/suspicious/noThenProperty: a field of the API with a string, never awaited as a promise
    then: {
      type: 'string',
      enum: ['pause', 'disable'],
      description:
        'What happens after `pause_after`, and at once if the endpoint responds with 410. The runs ' +
        'of a paused channel are held, those of a disabled one fail.',
    },
    max_age: seconds(60, 90 * DAY, 'after which a run that is held for a paused channel ends as `expired`.'),
    release_per_second: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000,
      description:
        'The highest rate, in runs per second, at which held runs are sent after the channel has ' +
        'recovered.',
    },
  },
} as const satisfies SchemaObject;

/** The complete policy of a channel: its own fields over the defaults. */
export function failurePolicyOf(policy: Partial<FailurePolicy> | null | undefined): FailurePolicy {
  return { ...DEFAULT_FAILURE_POLICY, ...policy };
}

/** Rules on a policy that fulfils {@link FAILURE_POLICY_SCHEMA}. */
export function failurePolicyIssues(
  policy: Partial<FailurePolicy> | undefined,
): { path: string; code: 'invalid_value'; message: string }[] {
  const { warn_after, pause_after } = failurePolicyOf(policy);
  if (policy === undefined || warn_after <= pause_after) return [];
  const message = `must not be shorter than warn_after, which is ${warn_after}`;
  return [{ path: '/failure_policy/pause_after', code: 'invalid_value', message }];
}
