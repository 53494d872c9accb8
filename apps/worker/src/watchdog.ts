import type { ChannelKind } from '@postrider/domain';

/**
 * BullMQ consumers have gone deaf more than once: connected again after an outage, `isRunning()` true, and no
 * job ever again (taskforcesh/bullmq issues 2964, 3185 and 4585). Only the work shows it.
 */
export interface WatchdogBounds {
  /** Milliseconds without a job, although some wait, after which a consumer counts as deaf. */
  readonly deafAfterMs: number;
  /** Consumers that are tried in a row, none of which got a job, before the process gives up. */
  readonly maxRecoveries: number;
}

/** BullMQ's own blocking wait ends after 10 s at most, so a consumer that is well has looked by then. */
const WATCHDOG_BOUNDS: WatchdogBounds = { deafAfterMs: 10_000, maxRecoveries: 3 };

/** What can be seen of a kind's queue and of this process's consumer of it. */
export interface Look {
  /** Milliseconds that only grow. */
  readonly atMs: number;
  /**
   * Whether jobs wait in Redis while runs are overdue in Postgres. False when either cannot be asked, when
   * Redis refuses writes (out of memory: no consumer could take a job), and when other workers take the jobs:
   * then no runs are overdue.
   */
  readonly isWorkWaiting: boolean;
  /** Whether the consumer may be handed another job: it is not stopping, and has a place free. */
  readonly hasRoom: boolean;
  /** Jobs that the process was handed so far. */
  readonly handed: number;
}

/** What is remembered between two looks. */
export interface Watch {
  readonly lastAtMs: number;
  readonly handed: number;
  /** Since when it got no job, though it could at every look; null when it is well or has nothing to do. */
  readonly deafSinceMs: number | null;
  /** Recoveries since it was last handed a job. */
  readonly recoveries: number;
}

export type ConsumerVerdict = 'well' | 'recover' | 'give_up';

export const FIRST_WATCH: Watch = {
  lastAtMs: Number.NEGATIVE_INFINITY,
  handed: 0,
  deafSinceMs: null,
  recoveries: 0,
};

/**
 * Judges a consumer by a further look at it. The time of deafness begins anew after a job, after a look at
 * which there was nothing to get, and after a gap as long as the bound: then the process was suspended, or
 * Postgres or Redis was away.
 */
export function judgeConsumer(
  watch: Watch,
  look: Look,
  bounds: WatchdogBounds,
): { watch: Watch; verdict: ConsumerVerdict } {
  const gotJob = look.handed !== watch.handed;
  const isGap = look.atMs - watch.lastAtMs >= bounds.deafAfterMs;
  const seen = { lastAtMs: look.atMs, handed: look.handed, recoveries: gotJob ? 0 : watch.recoveries };
  if (gotJob || !look.isWorkWaiting || !look.hasRoom) {
    return { watch: { ...seen, deafSinceMs: null }, verdict: 'well' };
  }
  const deafSinceMs = isGap ? look.atMs : (watch.deafSinceMs ?? look.atMs);
  if (look.atMs - deafSinceMs < bounds.deafAfterMs)
    return { watch: { ...seen, deafSinceMs }, verdict: 'well' };
  const anew = { ...seen, deafSinceMs: look.atMs };
  if (seen.recoveries >= bounds.maxRecoveries) return { watch: anew, verdict: 'give_up' };
  return { watch: { ...anew, recoveries: seen.recoveries + 1 }, verdict: 'recover' };
}

/** The part of a consumer that is watched. */
export interface WatchedConsumer {
  hasRoom(): boolean;
  handed(): number;
  replace(): void;
}

export interface WatchdogDeps {
  readonly consumers: Readonly<Record<ChannelKind, WatchedConsumer>>;
  /** Whether somebody has paused the queue: then nobody gets its jobs. Null when Redis does not answer. */
  readonly isPaused: (kind: ChannelKind) => Promise<boolean | null>;
  readonly onRecover: (kind: ChannelKind) => void;
  /** Recovering does not help: only a new process can. */
  readonly onGiveUp: (kind: ChannelKind) => void;
  readonly monotonicMs: () => number;
  readonly bounds?: WatchdogBounds;
}

/** To be called with each look at the queue of a kind, about once a second. */
export type WatchQueue = (kind: ChannelKind, isWorkWaiting: boolean) => Promise<void>;

/** Replaces a consumer that no longer gets jobs although they wait, and gives up when that does not help. */
export function createWatchdog({
  consumers,
  isPaused,
  onRecover,
  onGiveUp,
  monotonicMs,
  bounds = WATCHDOG_BOUNDS,
}: WatchdogDeps): WatchQueue {
  const watches: Record<ChannelKind, Watch> = { email: FIRST_WATCH, webhook: FIRST_WATCH };

  return async (kind, isWorkWaiting) => {
    const consumer = consumers[kind];
    const look = {
      atMs: monotonicMs(),
      isWorkWaiting: isWorkWaiting && (await isPaused(kind)) === false,
      hasRoom: consumer.hasRoom(),
      handed: consumer.handed(),
    };
    const { watch, verdict } = judgeConsumer(watches[kind], look, bounds);
    watches[kind] = watch;
    if (verdict === 'give_up') onGiveUp(kind);
    if (verdict !== 'recover') return;
    onRecover(kind);
    consumer.replace();
  };
}
