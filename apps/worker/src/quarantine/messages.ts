import type { ClaimedRun } from '@postrider/db';
import type { AttemptOutcome } from '@postrider/domain';
import type { RunToEnqueue } from '@postrider/queue';
import type { Config } from '../config.ts';

/** A run to try in isolation, and the UUID of the attempt to open. */
export interface RunToTry {
  readonly runId: string;
  readonly attemptId: string;
}

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
  /** Retries that the worker must enqueue, because the isolated process has no connection to Redis. */
  | { readonly type: 'enqueue'; readonly runs: readonly RunToEnqueue[] }
  /**
   * The process is free again. `claimed` is false if the run belonged to another worker, had ended or was not due. `failed`:
   * PostgreSQL is unreachable, or no render process starts.
   */
  | { readonly type: 'done'; readonly claimed: boolean; readonly failed: boolean };
