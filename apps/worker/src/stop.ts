import { settlesWithin } from '@postrider/domain';
import type { BoundedLog, LogErrors } from '@postrider/telemetry';
import { type Delivering, WRITE_ALLOWANCE_MS } from './deliver/attempt.ts';
import type { Scheduling } from './scheduler/start.ts';

/** The longest wait for connections to close, which may never happen in a silent network. */
const CLOSE_ALLOWANCE_MS = 3_000;

export interface StopDeps {
  readonly scheduling: Scheduling;
  readonly delivering: Pick<Delivering, 'drain'>;
  readonly sweeps: { readonly stop: () => Promise<void> };
  /** Closes everything else. Called when nothing is open any more, or the deadline has passed. */
  readonly closings: () => readonly Promise<unknown>[];
  readonly log: BoundedLog;
  readonly logDatabaseErrors: LogErrors;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

/**
 * Stops taking jobs, waits for open attempts, aborts and writes those that are open at the deadline (in milliseconds),
 * and closes everything. Resolves at most 5 s after the deadline, even if something does not close, which is logged. If
 * nothing is open, it does not wait for the deadline: a blocked sweep gets 2 s, because each of its steps is a
 * transaction that can be interrupted.
 */
export async function stopInOrder(deps: StopDeps, deadlineMs: number): Promise<void> {
  const { scheduling, delivering, sweeps, log, logDatabaseErrors, monotonicMs } = deps;
  const writtenBy = monotonicMs() + deadlineMs + WRITE_ALLOWANCE_MS;
  const background = [sweeps.stop()];
  // Claims that are under way start their runs, which are then drained.
  await settlesWithin([scheduling.stop()], deadlineMs);
  const leftMs = () => Math.max(0, writtenBy - WRITE_ALLOWANCE_MS - monotonicMs());
  await Promise.all([delivering.drain(leftMs()), settlesWithin(background, WRITE_ALLOWANCE_MS)]);
  const closings = [scheduling.close(), ...deps.closings()].map((closing) =>
    closing.catch(logDatabaseErrors('stop', 'something could not be closed')),
  );
  if (!(await settlesWithin(closings, CLOSE_ALLOWANCE_MS))) {
    log.warn('stop', 'something did not close in time', { allowance_ms: CLOSE_ALLOWANCE_MS });
  }
  log.flush();
}
