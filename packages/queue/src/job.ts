import type { ChannelKind } from '@postrider/domain';

/** All that a job carries: no payload and no secret is ever in Redis. */
export interface JobData {
  /** UUID of the delivery run. */
  readonly runId: string;
}

/** A run to start once `delayMs` has passed. Its row in Postgres decides whether it may be sent. */
export interface RunToEnqueue {
  readonly runId: string;
  readonly channelKind: ChannelKind;
  /** Number of the attempt that the job is for, from 1. */
  readonly attempt: number;
  /** Milliseconds until the run is due; 0 when it is due. */
  readonly delayMs: number;
  /** See {@link generationOf}; 0 when left out. */
  readonly generation?: number;
  /** Adds the job at the front of the queue instead of the end; no effect on a run with a delay. */
  readonly atFront?: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FIRST_GENERATION_MS = 1_000;

/** What a job carries, or null for one that this version did not write. */
export function parseJobData(data: unknown): JobData | null {
  const runId = (data as { runId?: unknown } | null)?.runId;
  return typeof runId === 'string' && UUID.test(runId) ? { runId } : null;
}

/**
 * Deterministic, so that adding a run twice for the same attempt leaves one job. BullMQ refuses `:` and plain
 * integers, and an id that equals one of its own key names corrupts the queue: hence the form `run-…`.
 */
export function jobId({
  runId,
  attempt,
  generation,
}: {
  runId: string;
  attempt: number;
  generation: number;
}): string {
  return `run-${runId}-${attempt}-${generation}`;
}

/**
 * BullMQ ignores an id that exists in any state, so a run whose job is stuck in Redis could never be added
 * again. The generation gives it a new id at 1 s, 2 s, 4 s, … of being overdue: logarithmically often, so
 * that a long backlog does not multiply its jobs. The first comes this early because BullMQ counts a delay by
 * the clock of the process that added the job: where that clock is ahead, the job sleeps past its time.
 */
export function generationOf(overdueMs: number): number {
  if (overdueMs < FIRST_GENERATION_MS) return 0;
  return Math.floor(Math.log2(overdueMs / FIRST_GENERATION_MS)) + 1;
}
