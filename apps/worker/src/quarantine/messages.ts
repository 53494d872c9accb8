import type { ClaimedRun } from '@postrider/db';
import type { AttemptOutcome, WakeUp } from '@postrider/domain';
import type { Config } from '../config.ts';
import type { RunToTry } from '../scheduler/claim-batching.ts';

/** Messages from the worker to its isolated process. */
export type ToIsolated =
  | { readonly type: 'begin'; readonly config: Config }
  | ({ readonly type: 'try' } & RunToTry)
  /** Aborts the open attempt at the deadline, in milliseconds, and then exits. */
  | { readonly type: 'stop'; readonly deadlineMs: number };

/** Messages from the isolated process to its worker. */
export type FromIsolated =
  | { readonly type: 'ready' }
  | { readonly type: 'attempted'; readonly run: ClaimedRun; readonly outcome: AttemptOutcome<'written'> }
  /** Wake-ups that the worker must add, because the isolated process has no connection to Redis. */
  | { readonly type: 'enqueue'; readonly wakeUps: readonly WakeUp[] }
  /**
   * The process is free again. `claimed` is false if the run belonged to another worker, had ended or was not due. `failed`:
   * PostgreSQL is unreachable, or no render process starts.
   */
  | { readonly type: 'done'; readonly claimed: boolean; readonly failed: boolean };
