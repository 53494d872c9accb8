import { createHash } from 'node:crypto';
import type { ChannelKind } from '@postrider/domain';

/** The content of a job. Redis never holds payloads or secrets. */
export interface JobData {
  /** UUIDs of delivery runs of one channel kind, at least one. */
  readonly runIds: readonly string[];
}

/** A run to start after `delayMs`. Its row in Postgres decides whether it may be sent. */
export interface RunToEnqueue {
  readonly runId: string;
  readonly channelKind: ChannelKind;
  /** The number of the attempt to make, from 1. */
  readonly attempt: number;
  /** Milliseconds until the run is due; 0 if it is due now. */
  readonly delayMs: number;
  /** See {@link generationOf}. Default: 0. */
  readonly generation?: number;
  /**
   * Whether the run was rescheduled. Such a run gets its own job, which replaces the job of an earlier change, so a run
   * has at most one such job however often it is rescheduled.
   */
  readonly isMoved?: boolean;
  /** Adds the job at the front of the queue instead of the end; no effect on a run with a delay. */
  readonly atFront?: boolean;
}

/** A job as stored in Redis. A job with one run has the format of release 0.1.0, the only one its workers can read. */
export type StoredJob = { readonly runId: string } | { readonly v: 2; readonly runIds: readonly string[] };

/** No release adds a job with more runs. A larger one does not come from this service. */
const MOST_RUNS = 64;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const GROUP_ID = /^runs-(\d+)-/;
const FIRST_GENERATION_MS = 1_000;
/** The generation of rescheduled runs. {@link generationOf} never reaches it. */
const MOVED_GENERATION = 1_000;

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Parses a job. Returns null if this version cannot read it; the sweep then adds its runs again. */
export function parseJobData(data: unknown): JobData | null {
  const { v, runId, runIds } = (data ?? {}) as { v?: unknown; runId?: unknown; runIds?: unknown };
  if (v === undefined) return isUuid(runId) ? { runIds: [runId] } : null;
  if (v !== 2 || !Array.isArray(runIds) || runIds.length === 0 || runIds.length > MOST_RUNS) return null;
  return runIds.every(isUuid) ? { runIds } : null;
}

/** Formats a job for Redis; {@link parseJobData} reads it. */
export function toStoredJob({ runIds }: JobData): StoredJob {
  const [runId, ...others] = runIds;
  return runId !== undefined && others.length === 0 ? { runId } : { v: 2, runIds };
}

/** Identifies a job of a run: runs with the same key need only one job. */
export const runKey = ({ runId, attempt, generation = 0, isMoved = false }: RunToEnqueue): string =>
  `${runId}-${attempt}-${isMoved ? MOVED_GENERATION : generation}`;

/**
 * Returns a deterministic id, so that adding the same runs twice for the same attempts creates one job. BullMQ refuses
 * `:` and plain integers, and an id that equals one of its own key names corrupts the queue. That is why ids start with
 * `run-` or `runs-`.
 */
export function jobId(runs: readonly RunToEnqueue[]): string {
  const keys = runs.map(runKey);
  if (keys.length === 1) return `run-${keys[0]}`;
  return `runs-${runs.length}-${createHash('sha1').update(keys.join()).digest('base64url')}`;
}

/** The number of runs in the job of this id. */
export const runsInJob = (id: string): number => Number(GROUP_ID.exec(id)?.[1] ?? 1);

/**
 * BullMQ ignores an id that exists in any state, so a run whose job is stuck in Redis could never be added again. The
 * generation gives it a new id when it is 1 s, 2 s, 4 s, … overdue. Because the intervals double, a long backlog does
 * not multiply its jobs. The first is this early because BullMQ computes a delay with the clock of the process that
 * added the job: if that clock is ahead, the job starts late.
 */
export function generationOf(overdueMs: number): number {
  if (overdueMs < FIRST_GENERATION_MS) return 0;
  return Math.floor(Math.log2(overdueMs / FIRST_GENERATION_MS)) + 1;
}
