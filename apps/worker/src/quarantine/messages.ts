import type { ClaimedRun } from '@postrider/db';
import type { RunToEnqueue } from '@postrider/queue';
import type { Config } from '../config.ts';
import type { AttemptReport } from '../deliver/attempt.ts';

/** A run that is to be tried alone, and the UUID of the attempt that the try opens. */
export interface RunToTry {
  readonly runId: string;
  readonly attemptId: string;
}

/** Messages from the worker to its isolated process. */
export type ToIsolated =
  | { readonly type: 'begin'; readonly config: Config }
  | ({ readonly type: 'try' } & RunToTry)
  /** Ends what is open at the deadline, in milliseconds, and then itself. */
  | { readonly type: 'stop'; readonly deadlineMs: number };

/** Messages from the isolated process to its worker. */
export type FromIsolated =
  | { readonly type: 'ready' }
  | { readonly type: 'attempted'; readonly run: ClaimedRun; readonly report: AttemptReport }
  /** Retries, which the worker adds to the queue: the isolated process has no connection to Redis. */
  | { readonly type: 'enqueue'; readonly runs: readonly RunToEnqueue[] }
  /** The process is free again; `claimed` is false when the run belonged to another worker, was over or not due. */
  | { readonly type: 'done'; readonly claimed: boolean };
