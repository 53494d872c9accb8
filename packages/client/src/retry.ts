/** How often and with which delays a call is retried. */
export interface RetryOptions {
  /** Tries in total, including the first. Default: 5. */
  readonly maxAttempts?: number;
  /** Delay before the second try, in milliseconds; it doubles with each further one. Default: 250. */
  readonly baseDelayMs?: number;
  /** The longest delay that the client chooses, in milliseconds. Default: 8,000. */
  readonly maxDelayMs?: number;
  /**
   * The longest Retry-After that the client waits for, in milliseconds; for a longer one the call fails. Default:
   * 60,000.
   */
  readonly maxRetryAfterMs?: number;
}

export type RetryPolicy = Required<RetryOptions>;

export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 5,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
};

/** The random share of a delay, so that many clients do not retry at the same time. */
const JITTER = 0.5;

/**
 * Milliseconds until the next try; null if there is none, because the tries are used up or Retry-After is too long. The
 * delay is never shorter than Retry-After.
 */
export function nextDelayMs(
  policy: RetryPolicy,
  { attempt, retryAfterMs, random }: { attempt: number; retryAfterMs: number | null; random: () => number },
): number | null {
  if (attempt >= policy.maxAttempts) return null;
  if (retryAfterMs !== null && retryAfterMs > policy.maxRetryAfterMs) return null;
  const backoff = Math.min(policy.baseDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  const spread = backoff * JITTER * random();
  return retryAfterMs === null ? backoff * (1 - JITTER) + spread : retryAfterMs + spread;
}

/**
 * A Retry-After header in milliseconds from `nowMs`; null when absent or unreadable. RFC 9110 section 10.2.3.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
