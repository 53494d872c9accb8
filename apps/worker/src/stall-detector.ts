import type { ChannelKind } from '@postrider/domain';

/**
 * BullMQ consumers have stalled several times: they reconnected after an outage, `isRunning()` was true, but they never
 * got a job again (taskforcesh/bullmq issues 2964, 3185 and 4585). Only the missing work reveals it.
 */
export interface StallBounds {
  /** A consumer without a job for this many milliseconds, although jobs wait, counts as stalled. */
  readonly stalledAfterMs: number;
  /** Replacements in a row without a job before the process gives up. */
  readonly maxRecoveries: number;
}

/** BullMQ's blocking wait ends after at most 10 s, so a healthy consumer has asked for a job by then. */
const STALL_BOUNDS: StallBounds = { stalledAfterMs: 10_000, maxRecoveries: 3 };

/** The observed state of a kind's queue and of this process's consumer of it. */
export interface Sample {
  /** Monotonic time, in milliseconds. */
  readonly atMs: number;
  /**
   * Whether jobs wait in Redis while runs are overdue in Postgres. False if either does not respond, if the queue's
   * server refuses writes (out of memory, so no consumer can take a job), or if other workers take the jobs, because
   * then no runs are overdue.
   */
  readonly isWorkWaiting: boolean;
  /** Whether the consumer can take another job: it is not stopping and has a free place. */
  readonly hasRoom: boolean;
  /** Jobs that the process has received so far. */
  readonly received: number;
}

/** The detector's state of a consumer between two samples. */
interface StallState {
  readonly lastAtMs: number;
  readonly received: number;
  /** Since when it got no job although every sample allowed one; null if it is healthy or has nothing to do. */
  readonly stalledSinceMs: number | null;
  /** Recoveries since it last received a job. */
  readonly recoveries: number;
}

export type StallAction = 'none' | 'recover' | 'give_up';

export const INITIAL_STATE: StallState = {
  lastAtMs: Number.NEGATIVE_INFINITY,
  received: 0,
  stalledSinceMs: null,
  recoveries: 0,
};

/**
 * Decides what to do about a consumer after a sample. The time without a job restarts after a job, after a sample
 * without waiting work, and after a gap between samples of at least `stalledAfterMs`, in which the process was
 * suspended, or Postgres or Redis was down.
 */
export function addSample(
  previous: StallState,
  sample: Sample,
  bounds: StallBounds,
): { state: StallState; action: StallAction } {
  const gotJob = sample.received !== previous.received;
  const isGap = sample.atMs - previous.lastAtMs >= bounds.stalledAfterMs;
  const recoveries = gotJob ? 0 : previous.recoveries;
  const state = { lastAtMs: sample.atMs, received: sample.received, recoveries };
  if (gotJob || !sample.isWorkWaiting || !sample.hasRoom) {
    return { state: { ...state, stalledSinceMs: null }, action: 'none' };
  }
  const stalledSinceMs = isGap ? sample.atMs : (previous.stalledSinceMs ?? sample.atMs);
  if (sample.atMs - stalledSinceMs < bounds.stalledAfterMs) {
    return { state: { ...state, stalledSinceMs }, action: 'none' };
  }
  const restarted = { ...state, stalledSinceMs: sample.atMs };
  if (recoveries >= bounds.maxRecoveries) return { state: restarted, action: 'give_up' };
  return { state: { ...restarted, recoveries: recoveries + 1 }, action: 'recover' };
}

/** The part of a consumer that the detector uses. */
export interface MonitoredConsumer {
  hasRoom(): boolean;
  received(): number;
  replace(): void;
}

interface StallDetectorDeps {
  /** For each kind, one per shard. */
  readonly consumers: ReadonlyMap<ChannelKind, readonly MonitoredConsumer[]>;
  /**
   * For each shard, whether an operator has paused the queue, so that no consumer gets jobs; null if Redis does not
   * respond.
   */
  readonly isPaused: (kind: ChannelKind) => Promise<readonly (boolean | null)[]>;
  /** For each shard, whether its server accepts writes. If not, no consumer gets jobs. */
  readonly acceptsWrites: () => Promise<readonly boolean[]>;
  readonly onRecover: (kind: ChannelKind) => void;
  /** Called when replacing consumers does not help, and only a new process can. */
  readonly onGiveUp: (kind: ChannelKind) => void;
  readonly monotonicMs: () => number;
  readonly bounds?: StallBounds;
}

/** Samples the consumers of a kind. Must be called about once a second. */
export type SampleQueue = (kind: ChannelKind, isWorkWaiting: readonly boolean[]) => Promise<void>;

/** Replaces a consumer that no longer gets jobs although jobs wait, and gives up if that does not help. */
export function createStallDetector({
  consumers,
  isPaused,
  acceptsWrites,
  onRecover,
  onGiveUp,
  monotonicMs,
  bounds = STALL_BOUNDS,
}: StallDetectorDeps): SampleQueue {
  const states = new Map<MonitoredConsumer, StallState>();

  function addTo(kind: ChannelKind, consumer: MonitoredConsumer, isWorkWaiting: boolean): void {
    const sample = {
      atMs: monotonicMs(),
      isWorkWaiting,
      hasRoom: consumer.hasRoom(),
      received: consumer.received(),
    };
    const { state, action } = addSample(states.get(consumer) ?? INITIAL_STATE, sample, bounds);
    states.set(consumer, state);
    if (action === 'give_up') onGiveUp(kind);
    if (action !== 'recover') return;
    onRecover(kind);
    consumer.replace();
  }

  return async (kind, isWorkWaiting) => {
    const isAny = isWorkWaiting.some(Boolean);
    const [paused, writable] = isAny ? await Promise.all([isPaused(kind), acceptsWrites()]) : [[], []];
    consumers.get(kind)?.forEach((consumer, shard) => {
      const canGetJobs = paused[shard] === false && writable[shard] === true;
      addTo(kind, consumer, isWorkWaiting[shard] === true && canGetJobs);
    });
  };
}
