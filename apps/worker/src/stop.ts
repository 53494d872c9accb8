import { settlesWithin } from '@postrider/domain';
import type { BoundedLog } from '@postrider/telemetry';
import type { Consumers } from './consumer.ts';
import { type Delivering, WRITE_ALLOWANCE_MS } from './deliver/deliver.ts';
import type { LogErrors } from './log-errors.ts';

/** Longest wait for the closing of connections, which a silent network may hold for good. */
const CLOSE_ALLOWANCE_MS = 3_000;

export interface StopDeps {
  readonly delivering: Pick<Delivering, 'stopStarting' | 'drain'>;
  readonly consumers: Pick<Consumers, 'pause' | 'settled' | 'close'>;
  readonly sweeps: { readonly stop: () => Promise<void> };
  /** Closes everything else; asked when nothing is open any more, or when it may not be waited for. */
  readonly closings: () => readonly Promise<unknown>[];
  readonly log: BoundedLog;
  readonly logErrors: LogErrors;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
}

/**
 * Stops taking jobs, waits for the open attempts, ends and writes what is open at the deadline, in
 * milliseconds, and closes everything. Resolves within 5 s of the deadline, also when something does not
 * close; that is logged. With nothing open it does not wait for the deadline: a sweep that is held up has
 * 2 s, for each of its steps is a transaction that may be cut off.
 */
export async function stopInOrder(deps: StopDeps, deadlineMs: number): Promise<void> {
  const { delivering, consumers, sweeps, log, logErrors, monotonicMs } = deps;
  const writtenBy = monotonicMs() + deadlineMs + WRITE_ALLOWANCE_MS;
  delivering.stopStarting();
  const background = [consumers.pause(), sweeps.stop()];
  await Promise.all([delivering.drain(deadlineMs), settlesWithin(background, WRITE_ALLOWANCE_MS)]);
  // Jobs that were still before their attempt are put back.
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
