/** A channel's retry policy as it is configured and stored: docs/specification.md, "Retries". Delays in seconds. */
export type RetryPolicy = { max_attempts: number } & (
  | { delays_seconds: number[] }
  | { base_seconds: number; factor: number; max_seconds: number }
);

/** 5 s, 30 s, 2 min, 10 min, 1 h, 4 h, 12 h: docs/specification.md, "Retries". */
const DEFAULT_RETRY_DELAYS_SECONDS = [5, 30, 120, 600, 3_600, 14_400, 43_200];
/** 8 attempts: docs/specification.md, "Retries". */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  max_attempts: 8,
  delays_seconds: DEFAULT_RETRY_DELAYS_SECONDS,
};

export const MAX_RETRY_ATTEMPTS = 20;
/** A week. */
export const MAX_RETRY_DELAY_SECONDS = 604_800;
export const MAX_RETRY_FACTOR = 100;

/** The fields of exponential delays, with their bounds. */
const EXPONENTIAL = {
  base_seconds: [0, MAX_RETRY_DELAY_SECONDS],
  factor: [1, MAX_RETRY_FACTOR],
  max_seconds: [0, MAX_RETRY_DELAY_SECONDS],
} as const;

/**
 * Issues of a policy that fulfils its schema in `CHANNEL_SETTINGS_SCHEMAS`. `path` is a JSON Pointer into it. A policy has only one
 * form of delays. The list may be empty if there is only one attempt.
 */
export function retryPolicyIssues(policy: RetryPolicy): { path: string; message: string }[] {
  const {
    max_attempts,
    delays_seconds: delays,
    ...exponential
  } = policy as {
    max_attempts: number;
    delays_seconds?: number[];
    base_seconds?: number;
    max_seconds?: number;
  };
  if ((delays === undefined) === (Object.keys(exponential).length === 0)) {
    return [
      { path: '', message: 'must have either delays_seconds, or base_seconds, factor and max_seconds' },
    ];
  }
  if (delays?.length === 0 && max_attempts !== 1) {
    return [{ path: '/delays_seconds', message: `must be a list of 1 to ${MAX_RETRY_ATTEMPTS} delays` }];
  }
  if (delays) return [];
  const missing = Object.entries(EXPONENTIAL).filter(([field]) => !(field in exponential));
  if (missing.length > 0) {
    return missing.map(([field, [least, most]]) => ({
      path: `/${field}`,
      message: `must be a number from ${least} to ${most}`,
    }));
  }
  const { base_seconds: base = 0, max_seconds: longest = 0 } = exponential;
  return longest < base ? [{ path: '/max_seconds', message: 'must not be less than base_seconds' }] : [];
}

/** Each delay varies by ±20 %: docs/specification.md, "Retries". */
const JITTER = 0.2;
const MS_PER_SECOND = 1_000;

type RetryDelayInput = {
  policy: RetryPolicy;
  /** The number of the attempt that just failed; the first is 1. */
  attempt: number;
  /** A random number in [0, 1). */
  jitter: () => number;
  /** The receiver's Retry-After, in milliseconds. */
  retryAfterMs?: number | null;
};

/**
 * Returns the delay after a failed attempt in whole milliseconds: the policy's delay ±20 %, but at least the receiver's
 * Retry-After, which is honoured up to the policy's longest delay. If the list of delays is too short, its last one
 * repeats. See docs/specification.md, "Retries".
 */
export function retryDelayMs({ policy, attempt, jitter, retryAfterMs }: RetryDelayInput): number {
  const spread = 1 - JITTER + 2 * JITTER * jitter();
  const ownDelay = delaySeconds(policy, attempt) * MS_PER_SECOND * spread;
  const askedDelay = Math.min(retryAfterMs ?? 0, longestDelaySeconds(policy) * MS_PER_SECOND);
  return Math.ceil(Math.max(ownDelay, askedDelay));
}

/** Whether the policy allows no attempt after this one. */
export function attemptsExhausted(policy: RetryPolicy, attempt: number): boolean {
  return attempt >= policy.max_attempts;
}

/**
 * The policy's delays. A policy with one attempt may have none, but a run keeps the number of attempts with which it
 * was created. If the policy has changed since, the run uses the default delays.
 */
function delaysOf({ delays_seconds: delays }: { delays_seconds: readonly number[] }): readonly number[] {
  return delays.length > 0 ? delays : DEFAULT_RETRY_DELAYS_SECONDS;
}

function delaySeconds(policy: RetryPolicy, attempt: number): number {
  if ('delays_seconds' in policy) {
    const delays = delaysOf(policy);
    return delays[attempt - 1] ?? delays.at(-1) ?? 0;
  }
  return Math.min(policy.base_seconds * policy.factor ** (attempt - 1), policy.max_seconds);
}

function longestDelaySeconds(policy: RetryPolicy): number {
  return 'delays_seconds' in policy ? Math.max(0, ...delaysOf(policy)) : policy.max_seconds;
}
