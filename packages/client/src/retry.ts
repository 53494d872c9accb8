/** How often and how patiently a call is made again. */
export interface RetryOptions {
  /** Tries in all, the first included; 5. */
  readonly maxAttempts?: number;
  /** Wait before the second try, doubled with each further one; 250. */
  readonly baseDelayMs?: number;
  /** No wait of the client's own choice is longer; 8,000. */
  readonly maxDelayMs?: number;
  /** A longer Retry-After is not waited for: the call ends with the answer that asked for it; 60,000. */
  readonly maxRetryAfterMs?: number;
}

export type RetryPolicy = Required<RetryOptions>;

export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 5,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
};

/** Share of a wait that is left to chance, so that many clients do not come back at once. */
const JITTER = 0.5;

/**
 * The wait before the next try in milliseconds; null when there is to be none: the tries are used up, or
 * Retry-After is longer than what is waited for. A Retry-After is a least: chance only ever adds to it.
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
