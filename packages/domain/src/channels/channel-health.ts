import type { FailurePolicy } from './failure-policy.ts';

/** `failing`: only failures for a while. `paused`: its runs are held. */
export const HEALTH_STATES = ['ok', 'failing', 'paused'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/**
 * Why a channel is not `ok`: its attempts failed, all of them timed out, its endpoint is gone, or an operator or
 * the receiver paused it.
 */
export const HEALTH_REASONS = ['failures', 'timeouts', 'gone', 'manual', 'receiver'] as const;
export type HealthReason = (typeof HEALTH_REASONS)[number];
/** The reasons of pauses that somebody wanted. They are not probed, and last until somebody resumes the channel. */
export const WANTED_PAUSES = ['manual', 'receiver'] as const satisfies readonly HealthReason[];

/** The health of a channel, as the API shows it. */
export interface ChannelHealth {
  readonly state: HealthState;
  readonly reason: HealthReason | null;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  /** When the next probe may start, or as soon as a run is held; null if only an operator can resume the channel. */
  readonly nextProbeAt: Date | null;
  /** Held runs, counted up to {@link MAX_COUNTED_WAITING}. */
  readonly waiting: number;
}

export const MAX_COUNTED_WAITING = 10_000;

/** The health of a channel without recorded attempts. */
export const HEALTHY: ChannelHealth = {
  state: 'ok',
  reason: null,
  failingSince: null,
  lastSuccessAt: null,
  nextProbeAt: null,
  waiting: 0,
};

/** The recorded facts about a channel's attempts. */
interface ObservedHealth {
  readonly state: HealthState;
  readonly failingSince: Date | null;
  /** Failures since then, up to `MAX_COUNTED_FAILURES`, and how many of them timed out. */
  readonly failures: number;
  readonly timeouts: number;
  /** Whether the held runs are being released that a resume found. */
  readonly isReleasing: boolean;
}

export type HealthChange =
  | { readonly to: 'ok' }
  | { readonly to: 'failing'; readonly reason: HealthReason }
  | { readonly to: FailurePolicy['then']; readonly reason: HealthReason };

const hasPassed = (since: Date, seconds: number, now: Date) =>
  now.getTime() - since.getTime() >= seconds * 1_000;

/**
 * The state change that follows from the facts, or null. A channel that only fails while its held runs are released has
 * not recovered and is paused again at once. The probe decides about a paused channel.
 */
export function decideHealth(
  { state, failingSince, failures, timeouts, isReleasing }: ObservedHealth,
  policy: FailurePolicy,
  now: Date,
): HealthChange | null {
  if (state === 'paused') return null;
  if (failingSince === null) return state === 'failing' ? { to: 'ok' } : null;
  if (failures < policy.min_attempts) return null;
  const reason = timeouts === failures ? 'timeouts' : 'failures';
  if (isReleasing && policy.then === 'pause') return { to: 'pause', reason };
  if (hasPassed(failingSince, policy.pause_after, now)) return { to: policy.then, reason };
  return state === 'ok' && hasPassed(failingSince, policy.warn_after, now) ? { to: 'failing', reason } : null;
}

const FREQUENT_PROBE_MS = 60_000;
const FREQUENT_PROBES = 60;
const FIRST_RARE_PROBE_MS = 5 * 60_000;
const MAX_PROBE_MS = 6 * 3_600_000;

/** Milliseconds until the next probe after `probes` failed ones: a minute for an hour, then five minutes, doubling up to six hours. */
export function probeDelayMs(probes: number): number {
  if (probes < FREQUENT_PROBES) return FREQUENT_PROBE_MS;
  return Math.min(MAX_PROBE_MS, FIRST_RARE_PROBE_MS * 2 ** Math.min(probes - FREQUENT_PROBES, 20));
}

/**
 * The initial release rate in runs per second, and the time in milliseconds after which it doubles while nothing fails.
 */
export const FIRST_RELEASE_RATE = 2;
const DOUBLED_IN_MS = 10_000;
/** The most runs released at once after the sweep was delayed, in milliseconds at the rate. */
const MAX_AT_ONCE_MS = 2_000;

interface ReleaseStep {
  /** Runs to release now. */
  readonly runs: number;
  /** Runs per second from now on. */
  readonly rate: number;
  /** The part of the elapsed time that these runs use, in milliseconds. */
  readonly usedMs: number;
}

/**
 * How many held runs to release after `elapsedMs` at `rate`. The rate grows while the channel accepts them, and
 * halves when it does not.
 */
export function releaseStep(
  elapsedMs: number,
  { rate, isFailing, mostPerSecond }: { rate: number; isFailing: boolean; mostPerSecond: number },
): ReleaseStep {
  const countedMs = Math.min(Math.max(0, elapsedMs), MAX_AT_ONCE_MS);
  const runs = Math.floor((rate * countedMs) / 1_000);
  if (runs === 0) return { runs, rate, usedMs: Math.max(0, elapsedMs - countedMs) };
  const runsMs = (runs * 1_000) / rate;
  const usedMs = elapsedMs - countedMs + runsMs;
  // The rest of the time counts in the next step.
  const next = isFailing ? rate / 2 : rate * 2 ** (runsMs / DOUBLED_IN_MS);
  const least = Math.min(FIRST_RELEASE_RATE, mostPerSecond);
  return { runs, rate: Math.min(mostPerSecond, Math.max(least, next)), usedMs };
}
