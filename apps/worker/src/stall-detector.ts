import type { ChannelKind } from '@postrider/domain';

/**
 * BullMQ consumers have stalled more than once: connected again after an outage, `isRunning()` true, and no job
 * ever again (taskforcesh/bullmq issues 2964, 3185 and 4585). Only the missing work shows it.
 */
export interface StallBounds {
  /** Milliseconds without a job, although some wait, after which a consumer counts as stalled. */
  readonly stalledAfterMs: number;
  /** Consumers that are tried in a row, none of which got a job, before the process gives up. */
  readonly maxRecoveries: number;
}

/** BullMQ's own blocking wait ends after 10 s at most, so a healthy consumer has asked by then. */
const STALL_BOUNDS: StallBounds = { stalledAfterMs: 10_000, maxRecoveries: 3 };

/** The observed state of a kind's queue and of this process's consumer of it. */
export interface Sample {
  /** Milliseconds that only grow. */
  readonly atMs: number;
  /**
   * Whether jobs wait in Redis while runs are overdue in Postgres. False when either cannot be asked, when the
   * queue's server refuses writes (out of memory: no consumer could take a job), and when other workers take the
   * jobs: then no runs are overdue.
   */
  readonly isWorkWaiting: boolean;
  /** Whether the consumer may get another job: it is not stopping, and has a place free. */
  readonly hasRoom: boolean;
  /** Jobs that the process has received so far. */
  readonly received: number;
}

/** What the detector remembers of a consumer between two samples. */
interface StallState {
  readonly lastAtMs: number;
  readonly received: number;
  /** Since when it got no job, though every sample allowed one; null when it is healthy or has nothing to do. */
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
 * Decides what to do about a consumer after a further sample. The time without a job starts again after a job, after
 * a sample in which there was nothing to get, and after a gap between samples as long as `stalledAfterMs`: then the
 * process was suspended, or Postgres or Redis was away.
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
  /** Of each kind one for each shard. */
  readonly consumers: ReadonlyMap<ChannelKind, readonly MonitoredConsumer[]>;
  /** Of each shard whether an operator has paused the queue, so that nobody gets its jobs; null when Redis does not answer. */
  readonly isPaused: (kind: ChannelKind) => Promise<readonly (boolean | null)[]>;
  /** Of each shard whether its server takes writes; one that does not gives nobody a job. */
  readonly takesWrites: () => Promise<readonly boolean[]>;
  readonly onRecover: (kind: ChannelKind) => void;
  /** Recovering does not help: only a new process can. */
  readonly onGiveUp: (kind: ChannelKind) => void;
  readonly monotonicMs: () => number;
  readonly bounds?: StallBounds;
}

/** Samples the consumers of a kind, with what each shard's queue holds; to be called about once a second. */
export type SampleQueue = (kind: ChannelKind, isWorkWaiting: readonly boolean[]) => Promise<void>;

/** Replaces a consumer that no longer gets jobs although they wait, and gives up when that does not help. */
export function createStallDetector({
  consumers,
  isPaused,
  takesWrites,
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
    const [paused, writable] = isAny ? await Promise.all([isPaused(kind), takesWrites()]) : [[], []];
    consumers.get(kind)?.forEach((consumer, shard) => {
      const canGetJobs = paused[shard] === false && writable[shard] === true;
      addTo(kind, consumer, isWorkWaiting[shard] === true && canGetJobs);
    });
  };
}
