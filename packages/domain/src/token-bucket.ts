export type BucketRate = {
  /** Tokens added per second; more than 0. */
  requestsPerSecond: number;
  /** Tokens in a full bucket, at least 1. Only whole tokens are taken. */
  burst: number;
};

export type TokensTaken = {
  /** Number of tokens taken, at most `wanted`. */
  taken: number;
  /** The state to pass to the next call. */
  nextState: number;
  /** Whole tokens left after this call. */
  remaining: number;
  /**
   * 0 if all were taken, otherwise whole milliseconds until one more token (for a `whole` request, all) is available if
   * nobody else takes it.
   */
  retryAfterMs: number;
  /** Whole milliseconds until the bucket is full if nothing is taken. */
  resetMs: number;
};

/**
 * The interval between tokens is kept to 1/4096 ms: sums with present-day times are then exact in a double,
 * so a full bucket gives exactly `burst` tokens.
 */
export const STEPS_PER_MS = 4_096;

/** Milliseconds between two added tokens: by how much one token changes the state of {@link takeTokens}. */
export function tokenInterval({ requestsPerSecond }: BucketRate): number {
  return Math.max(1, Math.round((1_000 * STEPS_PER_MS) / requestsPerSecond)) / STEPS_PER_MS;
}

/**
 * Takes `wanted` tokens from a bucket or, unless `whole`, as many of them as there are. Uses the generic cell rate
 * algorithm (ITU-T I.371, annex A), see docs/specification.md, "Rate limit". The state is one number, which any store
 * can hold.
 * @param state the `nextState` of the last call (the theoretical arrival time in ms since the epoch); null for a full
 * bucket
 * @param nowMs the clock, in whole milliseconds since the epoch; if it steps back, no caller waits longer than for an
 * empty bucket
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
