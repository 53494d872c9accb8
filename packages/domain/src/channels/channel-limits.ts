import { type BucketRate, STEPS_PER_MS, takeTokens } from '../token-bucket.ts';

/** Attempts per second of a channel. The lowest rate is one in 100 seconds. */
export const MAX_PER_SECOND = { least: 0.01, most: 10_000 } as const;
/** Open attempts of a channel. */
export const MAX_IN_FLIGHT = { least: 1, most: 1_000 } as const;

/** The limits of a channel; null means unlimited. */
export interface ChannelLimits {
  readonly maxPerSecond: number | null;
  readonly maxInFlight: number | null;
}

/**
 * The burst that a channel may send when workers were late, in milliseconds at its rate. In any `s` seconds at most
 * `max_per_second * (s + 0.1) + 1` attempts start (docs/promises.md).
 */
export const RATE_TOLERANCE_MS = 100;

/**
 * A bucket that is never faster than the rate. The rate's interval may not be a whole number of steps, so it is
 * rounded.
 */
function bucketOf(maxPerSecond: number): BucketRate {
  const stepsPerSecond = STEPS_PER_MS * 1_000;
  return {
    requestsPerSecond: stepsPerSecond / Math.ceil(stepsPerSecond / maxPerSecond),
    burst: 1 + (maxPerSecond * RATE_TOLERANCE_MS) / 1_000,
  };
}

export interface LimitState extends ChannelLimits {
  /** The bucket's state after the last claim, see `takeTokens`; null before the first one. */
  readonly rateState: number | null;
  /** Open leases of the channel. */
  readonly inFlight: number;
  /** Whole milliseconds since the epoch. Never decreases between two claims of a channel. */
  readonly nowMs: number;
}

/** The number of runs that may be claimed now, at most `wanted`. */
export function runsAllowed(
  { maxPerSecond, maxInFlight, rateState, inFlight, nowMs }: LimitState,
  wanted: number,
): number {
  const byRate =
    maxPerSecond === null ? wanted : takeTokens(rateState, nowMs, bucketOf(maxPerSecond), { wanted }).taken;
  return maxInFlight === null ? byRate : Math.max(0, Math.min(byRate, maxInFlight - inFlight));
}

/** The state after a claim, and when the rate allows the next run. */
interface AfterClaim {
  readonly rateState: number | null;
  /** Milliseconds; 0 if it allows one now. */
  readonly nextInMs: number;
}

/** Updates a channel's rate after `claimed` runs, which {@link runsAllowed} has allowed. */
export function afterClaim({ maxPerSecond, rateState, nowMs }: LimitState, claimed: number): AfterClaim {
  if (maxPerSecond === null) return { rateState: null, nextInMs: 0 };
  const bucket = bucketOf(maxPerSecond);
  const { nextState } = takeTokens(rateState, nowMs, bucket, { wanted: claimed });
  const { retryAfterMs } = takeTokens(nextState, nowMs, bucket);
  return { rateState: nextState, nextInMs: retryAfterMs };
}

/**
 * The earliest time, in milliseconds since the epoch, at which the rate allows a run with `ahead` runs before it; null
 * without a rate.
 */
export function expectedAtMs(
  { maxPerSecond, rateState, nowMs }: Pick<LimitState, 'maxPerSecond' | 'rateState' | 'nowMs'>,
  ahead: number,
): number | null {
  if (maxPerSecond === null) return null;
  const next = Math.max(nowMs, (rateState ?? nowMs) - RATE_TOLERANCE_MS);
  return Math.ceil(next + (ahead * 1_000) / maxPerSecond);
}
