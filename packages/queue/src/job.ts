import { createHash } from 'node:crypto';
import type { ChannelKind } from '@postrider/domain';

/** What a job carries: no payload and no secret is ever in Redis. */
export interface JobData {
  /** UUIDs of delivery runs of one kind of channel, at least one. */
  readonly runIds: readonly string[];
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
  /**
   * Whether its time was changed. It gets a job of its own, which takes the place of the one that an earlier change has made: so a
   * run has one such job at most, however often its time is changed.
   */
  readonly isMoved?: boolean;
  /** Adds the job at the front of the queue instead of the end; no effect on a run with a delay. */
  readonly atFront?: boolean;
}

/** The form of a job in Redis. That of one run is the form of release 0.1.0, whose workers read nothing else. */
export type StoredJob = { readonly runId: string } | { readonly v: 2; readonly runIds: readonly string[] };

/** A job with more runs is not this service's: no release adds more. */
const MOST_RUNS = 64;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const GROUP_ID = /^runs-(\d+)-/;
const FIRST_GENERATION_MS = 1_000;
/** Of runs whose time was changed: {@link generationOf} does not come to it. */
const MOVED_GENERATION = 1_000;

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** What a job carries, or null for one that this version cannot read. The sweep adds the runs of such a job again. */
export function parseJobData(data: unknown): JobData | null {
  const { v, runId, runIds } = (data ?? {}) as { v?: unknown; runId?: unknown; runIds?: unknown };
  if (v === undefined) return isUuid(runId) ? { runIds: [runId] } : null;
  if (v !== 2 || !Array.isArray(runIds) || runIds.length === 0 || runIds.length > MOST_RUNS) return null;
  return runIds.every(isUuid) ? { runIds } : null;
}

/** The form in which a job is stored; {@link parseJobData} reads it. */
export function toStoredJob({ runIds }: JobData): StoredJob {
  const [runId, ...others] = runIds;
  return runId !== undefined && others.length === 0 ? { runId } : { v: 2, runIds };
}

/** The same for what need not be added twice. */
export const runKey = ({ runId, attempt, generation = 0, isMoved = false }: RunToEnqueue): string =>
  `${runId}-${attempt}-${isMoved ? MOVED_GENERATION : generation}`;

/**
 * Deterministic, so that adding the same runs twice for the same attempts leaves one job. BullMQ refuses `:` and plain
 * integers, and an id that equals one of its own key names corrupts the queue: hence the forms `run-…` and `runs-…`.
 */
export function jobId(runs: readonly RunToEnqueue[]): string {
  const keys = runs.map(runKey);
  if (keys.length === 1) return `run-${keys[0]}`;
  return `runs-${runs.length}-${createHash('sha1').update(keys.join()).digest('base64url')}`;
}

/** The number of runs in the job of this id. */
export const runsInJob = (id: string): number => Number(GROUP_ID.exec(id)?.[1] ?? 1);

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
