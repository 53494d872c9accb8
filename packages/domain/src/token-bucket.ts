export type BucketRate = {
  /** Tokens that flow back per second; more than 0. */
  requestsPerSecond: number;
  /** Tokens in a full bucket, at least 1; only whole ones are given. */
  burst: number;
};

export type TokensTaken = {
  /** How many tokens were taken: all that were asked for, or those that were there. */
  taken: number;
  /** What to keep for the next call. */
  nextState: number;
  /** Whole tokens left after this call. */
  remaining: number;
  /** 0 when all were taken, else whole milliseconds until one more (of a `whole` request, all) is there if nobody else takes it. */
  retryAfterMs: number;
  /** Whole milliseconds until the bucket is full, if nothing is taken. */
  resetMs: number;
};

/**
 * The interval between tokens is kept to 1/4096 ms: sums with present-day times are then exact in a double,
 * so a full bucket gives exactly `burst` tokens.
 */
export const STEPS_PER_MS = 4_096;

/** Milliseconds between tokens that flow back: what one token moves the state of {@link takeTokens}. */
export function tokenInterval({ requestsPerSecond }: BucketRate): number {
  return Math.max(1, Math.round((1_000 * STEPS_PER_MS) / requestsPerSecond)) / STEPS_PER_MS;
}

/**
 * Takes `wanted` tokens from a bucket or, unless `whole`, what is there of them, by the generic cell rate algorithm (ITU-T I.371, annex A):
 * docs/specification.md, "Rate limit". The whole bucket is one number, so that any store can hold it.
 * @param state the theoretical arrival time (ms since the epoch) that the last call gave; null for a full
 * bucket
 * @param nowMs the clock, in whole milliseconds since the epoch; when it steps back, no call waits longer
 * than an empty bucket would make it
 */
export function takeTokens(
  state: number | null,
  nowMs: number,
  rate: BucketRate,
  { wanted = 1, whole = false }: { wanted?: number; whole?: boolean } = {},
): TokensTaken {
  const interval = tokenInterval(rate);
  const capacity = interval * rate.burst;
  const backlog = Math.min(Math.max((state ?? nowMs) - nowMs, 0), capacity);
  const there = Math.floor((capacity - backlog) / interval);
  const taken = whole && there < wanted ? 0 : Math.min(wanted, there);
  const nextBacklog = backlog + taken * interval;
  const waitFor = (tokens: number) => Math.max(1, Math.ceil(nextBacklog + tokens * interval - capacity));
  return {
    taken,
    nextState: nowMs + nextBacklog,
    remaining: Math.floor((capacity - nextBacklog) / interval),
    retryAfterMs: taken === wanted ? 0 : waitFor(whole ? wanted : 1),
    resetMs: Math.ceil(nextBacklog),
  };
}
