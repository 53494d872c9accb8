import type { SchemaObject } from 'ajv';

/** When a channel that only fails is noticed, and what then happens; times in seconds. */
export type FailurePolicy = {
  /** Of nothing but failures, until the channel counts as failing. */
  warn_after: number;
  /** Of nothing but failures, until {@link FailurePolicy.then} happens. */
  pause_after: number;
  /** Fewer failed attempts than these say nothing of the channel. */
  min_attempts: number;
  then: 'pause' | 'disable';
  /** Since a run was to be sent, until it is given up while its channel is paused. */
  max_age: number;
  /** Runs that waited are released at this rate at most when the channel has recovered. */
  release_per_second: number;
};

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Warned after an hour, paused after a day, and a week until waiting runs expire. */
export const DEFAULT_FAILURE_POLICY: FailurePolicy = {
  warn_after: HOUR,
  pause_after: DAY,
  min_attempts: 5,
  // biome-ignore lint/suspicious/noThenProperty: a field of the interface with a text, which nobody awaits as a promise
  then: 'pause',
  max_age: 7 * DAY,
  release_per_second: 100,
};

/** What is counted at most of the failed attempts of a channel since its last success. */
export const MAX_COUNTED_FAILURES = 100;

const seconds = (minimum: number, maximum: number, description: string) =>
  ({ type: 'integer', minimum, maximum, description: `Seconds. ${description}` }) as const;

export const FAILURE_POLICY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  default: DEFAULT_FAILURE_POLICY,
  description: 'What happens when every attempt fails. What is left out has its default.',
  properties: {
    warn_after: seconds(60, 7 * DAY, 'After these of nothing but failures the channel is `failing`.'),
    pause_after: seconds(60, 30 * DAY, 'After these of nothing but failures it is paused or disabled.'),
    min_attempts: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_COUNTED_FAILURES,
      description: 'Fewer failed attempts than these change nothing.',
    },
    // biome-ignore lint/suspicious/noThenProperty: a field of the interface with a text, which nobody awaits as a promise
    then: {
      type: 'string',
      enum: ['pause', 'disable'],
      description:
        'What happens after `pause_after`, and at once when the endpoint answers 410. The runs of a paused channel ' +
        'wait, those of a disabled one fail.',
    },
    max_age: seconds(60, 90 * DAY, 'A run that waits for its paused channel ends as `expired` after these.'),
    release_per_second: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000,
      description: 'The most runs a second that are released once the channel has recovered.',
    },
  },
} as const satisfies SchemaObject;

/** The whole policy of a channel, whose own fields come before the defaults. */
export function failurePolicyOf(policy: Partial<FailurePolicy> | null | undefined): FailurePolicy {
  return { ...DEFAULT_FAILURE_POLICY, ...policy };
}

/** What a policy that fulfils {@link FAILURE_POLICY_SCHEMA} must fulfil, too. */
export function failurePolicyIssues(
  policy: Partial<FailurePolicy> | undefined,
): { path: string; code: 'invalid_value'; message: string }[] {
  const { warn_after, pause_after } = failurePolicyOf(policy);
  if (policy === undefined || warn_after <= pause_after) return [];
  const message = `must not be shorter than warn_after, which is ${warn_after}`;
  return [{ path: '/failure_policy/pause_after', code: 'invalid_value', message }];
}
