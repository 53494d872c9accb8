import { escapePointerSegment } from './storable-json.ts';

/** A channel's retry policy as it is configured and stored: docs/specification.md, "Retries". Delays in seconds. */
export type RetryPolicy = { max_attempts: number } & (
  | { delays_seconds: number[] }
  | { base_seconds: number; factor: number; max_seconds: number }
);

type RetryPolicyIssue = { path: string; message: string };

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

const LIST_FIELDS = ['delays_seconds'];
const EXPONENTIAL_FIELDS = ['base_seconds', 'factor', 'max_seconds'];
const FIELDS = ['max_attempts', ...LIST_FIELDS, ...EXPONENTIAL_FIELDS];

/**
 * Validates a retry policy and returns all issues. `path` is a JSON Pointer into `value`. Bounds: 1 to 20 attempts,
 * delays of 0 to 604800 s (fractions allowed), factor 1 to 100, and only one form of delays. The list may be empty if
 * there is only one attempt.
 */
export function validateRetryPolicy(value: unknown): RetryPolicyIssue[] {
  if (!isRecord(value)) return [{ path: '', message: 'must be an object' }];
  return [
    ...Object.keys(value)
      .filter((field) => !FIELDS.includes(field))
      .map((field) => ({
        path: `/${escapePointerSegment(field)}`,
        message: 'is not a field of a retry policy',
      })),
    ...checkAttempts(value.max_attempts),
    ...checkDelays(value),
  ];
}

function checkAttempts(value: unknown): RetryPolicyIssue[] {
  const isFine = Number.isInteger(value) && isBetween(value, 1, MAX_RETRY_ATTEMPTS);
  return isFine
    ? []
    : [{ path: '/max_attempts', message: `must be a whole number from 1 to ${MAX_RETRY_ATTEMPTS}` }];
}

function checkDelays(policy: Record<string, unknown>): RetryPolicyIssue[] {
  const hasList = LIST_FIELDS.some((field) => field in policy);
  const hasExponential = EXPONENTIAL_FIELDS.some((field) => field in policy);
  if (hasList === hasExponential) {
    return [
      { path: '', message: 'must have either delays_seconds, or base_seconds, factor and max_seconds' },
    ];
  }
  return hasList ? checkDelayList(policy) : checkExponential(policy);
}

function checkDelayList({
  max_attempts: attempts,
  delays_seconds: value,
}: Record<string, unknown>): RetryPolicyIssue[] {
  const least = attempts === 1 ? 0 : 1;
  if (!Array.isArray(value) || value.length < least || value.length > MAX_RETRY_ATTEMPTS) {
    return [
      { path: '/delays_seconds', message: `must be a list of ${least} to ${MAX_RETRY_ATTEMPTS} delays` },
    ];
  }
  return value.flatMap((delay: unknown, index) =>
    checkNumber(delay, `/delays_seconds/${index}`, 0, MAX_RETRY_DELAY_SECONDS),
  );
}

function checkExponential(policy: Record<string, unknown>): RetryPolicyIssue[] {
  const { base_seconds: base, factor, max_seconds: longest } = policy;
  const issues = [
    ...checkNumber(base, '/base_seconds', 0, MAX_RETRY_DELAY_SECONDS),
    ...checkNumber(factor, '/factor', 1, MAX_RETRY_FACTOR),
    ...checkNumber(longest, '/max_seconds', 0, MAX_RETRY_DELAY_SECONDS),
  ];
  if (issues.length === 0 && Number(longest) < Number(base)) {
    return [{ path: '/max_seconds', message: 'must not be less than base_seconds' }];
  }
  return issues;
}

function checkNumber(value: unknown, path: string, least: number, most: number): RetryPolicyIssue[] {
  return isBetween(value, least, most)
    ? []
    : [{ path, message: `must be a number from ${least} to ${most}` }];
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
