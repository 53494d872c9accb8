import { settlesWithin } from '@postrider/domain';
import type { BoundedLog } from '@postrider/telemetry';
import type { Consumers } from './consumer.ts';
import { type Delivering, WRITE_ALLOWANCE_MS } from './deliver/deliver.ts';
import type { LogErrors } from './log-errors.ts';

/** The longest wait for connections to close, which may never happen in a silent network. */
const CLOSE_ALLOWANCE_MS = 3_000;

export interface StopDeps {
  readonly delivering: Pick<Delivering, 'stopStarting' | 'drain'>;
  readonly consumers: Pick<Consumers, 'pause' | 'settled' | 'close'>;
  readonly sweeps: { readonly stop: () => Promise<void> };
  /** Closes everything else. Called when nothing is open any more, or the deadline has passed. */
  readonly closings: () => readonly Promise<unknown>[];
  readonly log: BoundedLog;
  readonly logErrors: LogErrors;
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
  const { delivering, consumers, sweeps, log, logErrors, monotonicMs } = deps;
  const writtenBy = monotonicMs() + deadlineMs + WRITE_ALLOWANCE_MS;
  delivering.stopStarting();
  const background = [consumers.pause(), sweeps.stop()];
  await Promise.all([delivering.drain(deadlineMs), settlesWithin(background, WRITE_ALLOWANCE_MS)]);
  // Jobs without an attempt are put back.
  const leftMs = Math.max(0, writtenBy - monotonicMs());
  await settlesWithin([consumers.settled()], Math.min(WRITE_ALLOWANCE_MS, leftMs));
  const closings = [consumers.close(), ...deps.closings()].map((closing) =>
    closing.catch(logErrors('stop', 'something could not be closed')),
  );
  if (!(await settlesWithin(closings, CLOSE_ALLOWANCE_MS))) {
    log.warn('stop', 'something did not close in time', { allowance_ms: CLOSE_ALLOWANCE_MS });
  }
  log.flush();
}
