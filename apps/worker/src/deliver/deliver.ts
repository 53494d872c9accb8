import type { ClaimedRun } from '@postrider/db';
import { type AttemptOutcome, settlesWithin } from '@postrider/domain';
import type { RunPermits } from '../scheduler/scheduler.ts';
import type { AttemptBounds } from './attempt.ts';
import type { ReportAttempt } from './observe.ts';

interface DeliverDeps {
  readonly runAttempt: (run: ClaimedRun, bounds: AttemptBounds) => Promise<AttemptOutcome<'written'>>;
  readonly report: ReportAttempt;
  readonly onError: (error: unknown) => void;
}

export interface Delivering {
  /**
   * Makes an attempt of a claimed run, reports it, and then releases its slot and render permit. Resolves when it has ended;
   * never rejects. `askedAt` is the monotonic time before the claim.
   */
  deliver(run: ClaimedRun, permits: RunPermits, askedAt: number): Promise<void>;
  /** Waits for open attempts. At the deadline they are aborted and their results written. */
  drain(deadlineMs: number): Promise<void>;
}

/** Whether the remote end responded at all; undefined if that is not known, or nothing was sent. */
function wasAnswered({ error, response }: AttemptOutcome): boolean | undefined {
  if (error === null || response !== null) return true;
  return error.stage === 'send' && error.code !== 'worker_lost' ? false : undefined;
}

/** The longest wait for the results of aborted attempts to be written. */
export const WRITE_ALLOWANCE_MS = 2_000;

/** Creates the delivery of claimed runs. */
export function createDelivering({ runAttempt, report, onError }: DeliverDeps): Delivering {
  const open = new Map<Promise<void>, AbortController>();

  async function attempt(
    run: ClaimedRun,
    { slot, render }: RunPermits,
    { signal, askedAt }: { readonly signal: AbortSignal; readonly askedAt: number },
  ): Promise<void> {
    /** Whether the receiver responded, see {@link wasAnswered}. */
    let answered: boolean | undefined;
    try {
      const attempted = await runAttempt(run, { signal, askedAt, onRendered: () => render?.rendered() });
      report(run, attempted);
      answered = wasAnswered(attempted);
    } catch (error) {
      onError(error);
    } finally {
      render?.release();
      slot.release(answered);
    }
  }

  return {
    deliver(run, permits, askedAt) {
      const abort = new AbortController();
      const ended = attempt(run, permits, { signal: abort.signal, askedAt }).finally(() =>
        open.delete(ended),
      );
      open.set(ended, abort);
      return ended;
    },
    async drain(deadlineMs) {
      if (await settlesWithin([...open.keys()], deadlineMs)) return;
      for (const abort of open.values()) abort.abort();
      await settlesWithin([...open.keys()], WRITE_ALLOWANCE_MS);
    },
  };
}
