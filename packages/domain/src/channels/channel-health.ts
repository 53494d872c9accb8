import type { FailurePolicy } from './failure-policy.ts';

/** `failing`: nothing but failures for a while. `paused`: its runs wait. */
export const HEALTH_STATES = ['ok', 'failing', 'paused'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/**
 * Why a channel is not `ok`: its attempts failed, all of them timed out, its endpoint said that it is gone, or an operator
 * has paused it.
 */
export const HEALTH_REASONS = ['failures', 'timeouts', 'gone', 'manual'] as const;
export type HealthReason = (typeof HEALTH_REASONS)[number];

/** How a channel fares, as the API shows it. */
export interface ChannelHealth {
  readonly state: HealthState;
  readonly reason: HealthReason | null;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  /** When the next run tries the paused channel, or as soon as one waits; null when only an operator resumes it. */
  readonly nextProbeAt: Date | null;
  /** Runs that wait until the channel takes them, counted up to {@link MAX_COUNTED_WAITING}. */
  readonly waiting: number;
}

export const MAX_COUNTED_WAITING = 10_000;

/** Of a channel of which nothing is known. */
export const HEALTHY: ChannelHealth = {
  state: 'ok',
  reason: null,
  failingSince: null,
  lastSuccessAt: null,
  nextProbeAt: null,
  waiting: 0,
};

/** What is known of a channel's attempts. */
export interface ObservedHealth {
  readonly state: HealthState;
  readonly failingSince: Date | null;
  /** Since then, up to `MAX_COUNTED_FAILURES`, and how many of them timed out. */
  readonly failures: number;
  readonly timeouts: number;
  /** Whether runs that waited are being released. */
  readonly isReleasing: boolean;
}

export type HealthChange =
  | { readonly to: 'ok' }
  | { readonly to: 'failing'; readonly reason: HealthReason }
  | { readonly to: FailurePolicy['then']; readonly reason: HealthReason };

const hasPassed = (since: Date, seconds: number, now: Date) =>
  now.getTime() - since.getTime() >= seconds * 1_000;

/**
 * The change of state that follows from what was observed, or null. A channel that only fails while runs that waited are
 * released to it has not recovered: it pauses again at once. How a paused one goes on is for its probe to say.
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

const FIRST_PROBE_MS = 5 * 60_000;
const LONGEST_PROBE_MS = 6 * 3_600_000;

/** Milliseconds until the next probe after `probes` have failed: five minutes, then twice as long each time, to six hours. */
export function probeDelayMs(probes: number): number {
  return Math.min(LONGEST_PROBE_MS, FIRST_PROBE_MS * 2 ** Math.min(probes, 20));
}

/** Runs a second at which the release begins, and the milliseconds in which its rate doubles while nothing fails. */
export const FIRST_RELEASE_RATE = 2;
const DOUBLED_IN_MS = 10_000;
/** What may be released at once after a pause of the sweeps, in milliseconds of the rate. */
const MOST_AT_ONCE_MS = 2_000;

export interface ReleaseStep {
  /** Runs that may be released now. */
  readonly runs: number;
  /** Runs a second from now on. */
  readonly rate: number;
  /** Milliseconds of the time that has passed which these runs use up. */
  readonly usedMs: number;
}

/** How many waiting runs may go after `elapsedMs` at `rate`: it grows while the channel takes them, and halves when it does not. */
export function releaseStep(
  elapsedMs: number,
  { rate, isFailing, mostPerSecond }: { rate: number; isFailing: boolean; mostPerSecond: number },
): ReleaseStep {
  const countedMs = Math.min(Math.max(0, elapsedMs), MOST_AT_ONCE_MS);
  const runs = Math.floor((rate * countedMs) / 1_000);
  if (runs === 0) return { runs, rate, usedMs: Math.max(0, elapsedMs - countedMs) };
  const usedMs = elapsedMs - countedMs + (runs * 1_000) / rate;
  const next = isFailing ? rate / 2 : rate * 2 ** (countedMs / DOUBLED_IN_MS);
  const least = Math.min(FIRST_RELEASE_RATE, mostPerSecond);
  return { runs, rate: Math.min(mostPerSecond, Math.max(least, next)), usedMs };
}
