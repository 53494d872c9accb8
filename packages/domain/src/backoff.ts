import { DEFAULT_RETRY_DELAYS_SECONDS, type RetryPolicy } from './retry-policy.ts';

/** Each delay is spread over ±20 %: docs/specification.md, "Retries". */
const JITTER = 0.2;
const MS_PER_SECOND = 1_000;

type RetryDelayInput = {
  policy: RetryPolicy;
  /** The number of the attempt that just failed; the first is 1. */
  attempt: number;
  /** A random number in [0, 1). */
  jitter: () => number;
  /** What the receiver asked for in Retry-After, in milliseconds. */
  retryAfterMs?: number | null;
};

/**
 * How long to wait after a failed attempt, in whole milliseconds: the policy's delay ±20 %, and no less than
 * the receiver's Retry-After, which is honoured up to the policy's longest delay. A list of delays that is
 * shorter than the attempts goes on with its last one. See docs/specification.md, "Retries".
 */
export function retryDelayMs({ policy, attempt, jitter, retryAfterMs }: RetryDelayInput): number {
  const spread = 1 - JITTER + 2 * JITTER * jitter();
  const ownDelay = delaySeconds(policy, attempt) * MS_PER_SECOND * spread;
  const askedDelay = Math.min(retryAfterMs ?? 0, longestDelaySeconds(policy) * MS_PER_SECOND);
  return Math.ceil(Math.max(ownDelay, askedDelay));
}

/** Whether the attempt of this number was the last that the policy allows. */
export function attemptsExhausted(policy: RetryPolicy, attempt: number): boolean {
  return attempt >= policy.max_attempts;
}

/**
 * The list of a policy. A policy of one attempt may have none, but a run keeps the number of attempts that it was made
 * with, so it can need delays when the policy has changed meanwhile: then those of the default hold.
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
