import { type BucketRate, STEPS_PER_MS, takeTokens } from '../token-bucket.ts';

/** Runs a second of a channel: the least is one in 100 seconds. */
export const MAX_PER_SECOND = { least: 0.01, most: 10_000 } as const;
/** Runs of a channel that are sent at the same time. */
export const MAX_IN_FLIGHT = { least: 1, most: 1_000 } as const;

/** What a channel's endpoint may be asked to take; null is no limit. */
export interface ChannelLimits {
  readonly maxPerSecond: number | null;
  readonly maxInFlight: number | null;
}

/**
 * How much of its rate, in milliseconds, a channel may make up for at once when workers were late. In any `s` seconds at most
 * `max_per_second * (s + 0.1) + 1` attempts begin (docs/promises.md).
 */
export const RATE_TOLERANCE_MS = 100;

/** A bucket that is no faster than the rate, whose interval is not a whole number of steps. */
function bucketOf(maxPerSecond: number): BucketRate {
  const stepsPerSecond = STEPS_PER_MS * 1_000;
  return {
    requestsPerSecond: stepsPerSecond / Math.ceil(stepsPerSecond / maxPerSecond),
    burst: 1 + (maxPerSecond * RATE_TOLERANCE_MS) / 1_000,
  };
}

/** What is known of a limited channel when runs are to be claimed. */
export interface LimitState extends ChannelLimits {
  /** What the last claim left, see `takeTokens`; null before the first one. */
  readonly rateState: number | null;
  /** Open leases of the channel. */
  readonly inFlight: number;
  /** Whole milliseconds since the epoch; it never goes back between two claims of a channel. */
  readonly nowMs: number;
}

/** How many runs may be claimed now, up to `wanted`. */
export function runsAllowed(
  { maxPerSecond, maxInFlight, rateState, inFlight, nowMs }: LimitState,
  wanted: number,
): number {
  const byRate =
    maxPerSecond === null ? wanted : takeTokens(rateState, nowMs, bucketOf(maxPerSecond), { wanted }).taken;
  return maxInFlight === null ? byRate : Math.max(0, Math.min(byRate, maxInFlight - inFlight));
}

/** What is left after `claimed` runs, and when the rate allows another one. */
interface AfterClaim {
  readonly rateState: number | null;
  /** Milliseconds; 0 when it does now. */
  readonly nextInMs: number;
}

/** The state of a channel's rate after `claimed` runs, which {@link runsAllowed} has allowed. */
export function afterClaim({ maxPerSecond, rateState, nowMs }: LimitState, claimed: number): AfterClaim {
  if (maxPerSecond === null) return { rateState: null, nextInMs: 0 };
  const bucket = bucketOf(maxPerSecond);
  const { nextState } = takeTokens(rateState, nowMs, bucket, { wanted: claimed });
  const { retryAfterMs } = takeTokens(nextState, nowMs, bucket);
  return { rateState: nextState, nextInMs: retryAfterMs };
}

/**
 * When the rate allows the run that has `ahead` others before it, in milliseconds since the epoch, if nothing is late; null
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
