export type BucketRate = {
  /** Tokens that flow back per second; more than 0. */
  requestsPerSecond: number;
  /** Tokens in a full bucket; a whole number, at least 1. */
  burst: number;
};

export type TokenTaken = {
  allowed: boolean;
  /** What to keep for the next call. */
  nextState: number;
  /** Whole tokens left after this call. */
  remaining: number;
  /** 0 when allowed, else whole milliseconds after which one token is there if nobody else takes it. */
  retryAfterMs: number;
  /** Whole milliseconds until the bucket is full, if nothing is taken. */
  resetMs: number;
};

/**
 * The interval between tokens is kept to 1/4096 ms: sums with present-day times are then exact in a double,
 * so a full bucket gives exactly `burst` tokens.
 */
const STEPS_PER_MS = 4_096;

/**
 * Takes one token from a bucket, by the generic cell rate algorithm (ITU-T I.371, annex A):
 * docs/specification.md, "Rate limit". The whole bucket is one number, so that any store can hold it.
 * @param state the theoretical arrival time (ms since the epoch) that the last call gave; null for a full
 * bucket
 * @param nowMs the clock, in whole milliseconds since the epoch; when it steps back, no call waits longer
 * than an empty bucket would make it
 */
export function takeToken(
  state: number | null,
  nowMs: number,
  { requestsPerSecond, burst }: BucketRate,
): TokenTaken {
  const interval = Math.max(1, Math.round((1_000 * STEPS_PER_MS) / requestsPerSecond)) / STEPS_PER_MS;
  const capacity = interval * burst;
  const backlog = Math.min(Math.max((state ?? nowMs) - nowMs, 0), capacity);
  const wait = backlog + interval - capacity;
  const allowed = wait <= 0;
  const nextBacklog = allowed ? backlog + interval : backlog;
  return {
    allowed,
    nextState: nowMs + nextBacklog,
    remaining: allowed ? Math.floor((capacity - nextBacklog) / interval) : 0,
    retryAfterMs: allowed ? 0 : Math.ceil(wait),
    resetMs: Math.ceil(nextBacklog),
  };
}
