import type { ClaimedRun, ClaimRun, FindRunToDeliver, RunToDeliver } from '@postrider/db';
import { type IdSource, settlesWithin } from '@postrider/domain';
import type { AttemptBounds, AttemptReport } from './attempt.ts';
import { createParking, type Parking, type ParkingDeps } from './parking.ts';
import type { RenderPlaces } from './render-places.ts';
import type { ReportAttempt } from './report.ts';
import { createReservations, type Reservation } from './reservations.ts';
import type { Slots } from './slots.ts';

/** What became of a job. */
export type JobOutcome =
  /**
   * Nothing is left to do with this job: the run was tried, is somebody else's, is over, or will be taken up
   * when what it needs is free.
   */
  | { readonly outcome: 'done' }
  /** Its time has not come by the database's clock. */
  | { readonly outcome: 'later'; readonly delayMs: number };

/**
 * Takes up the run of a job. Rejects only when Postgres is out of reach; the sweeper brings the run back.
 */
export type DeliverRun = (runId: string) => Promise<JobOutcome>;

export interface DeliverDeps {
  readonly slots: Slots;
  /** How many runs may be claimed and not rendered yet, of one tenant and together. */
  readonly renderPlaces: RenderPlaces;
  readonly findRun: FindRunToDeliver;
  readonly findDueRuns: ParkingDeps['findDueRuns'];
  readonly claim: ClaimRun;
  readonly newId: IdSource;
  readonly runAttempt: (run: ClaimedRun, bounds: AttemptBounds) => Promise<AttemptReport>;
  readonly report: ReportAttempt;
  readonly onError: (error: unknown) => void;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
}

export interface Delivering {
  readonly deliver: DeliverRun;
  readonly parking: Pick<Parking, 'park' | 'parked'>;
  /** Takes up nothing more: jobs that still come are put back for another process. */
  stopTaking(): void;
  /** Waits for what is open; at the deadline the open attempts are ended and written. */
  drain(deadlineMs: number): Promise<void>;
}

interface Attempted {
  readonly job: JobOutcome;
  /** See `ReleaseSlot`. */
  readonly answered?: boolean | undefined;
}

/** Whether the other end answered at all; undefined when nothing went to it. */
function wasAnswered({ result }: AttemptReport): boolean | undefined {
  if (result.outcome === 'delivered' || result.response !== null) return true;
  return result.code === 'template_render_failed' ? undefined : false;
}

const DONE = { outcome: 'done' } as const;
/** Long enough that the process that put the job back is gone when it is due again. */
const PUT_BACK = { outcome: 'later', delayMs: 1_000 } as const;
/** Longest wait for the results of ended attempts to be written. */
export const WRITE_ALLOWANCE_MS = 2_000;

/** Wires the steps of a delivery: look the run up, reserve what it needs, claim, and the attempt itself. */
export function createDelivering(deps: DeliverDeps): Delivering {
  const { slots, findRun, claim, newId, runAttempt, report, onError, monotonicMs } = deps;
  const open = new Map<Promise<unknown>, AbortController>();
  const reservations = createReservations(slots, deps.renderPlaces);
  let stopping = false;

  async function attemptRun(
    { runId, environmentId }: RunToDeliver,
    {
      signal,
      onRendered,
      onClaimed,
    }: Pick<AttemptBounds, 'signal' | 'onRendered'> & { onClaimed: () => void },
  ): Promise<Attempted> {
    const askedAt = monotonicMs();
    const claimed = await claim({ runId, environmentId, attemptId: newId() });
    // The claim ended the run of a channel that is gone: it waits no more either.
    if (claimed.outcome === 'claimed' || claimed.outcome === 'channel_disabled') onClaimed();
    if (claimed.outcome === 'not_due') return { job: { outcome: 'later', delayMs: claimed.dueInMs } };
    if (claimed.outcome !== 'claimed') return { job: DONE };
    const attempt = await runAttempt(claimed.run, { signal, askedAt, onRendered });
    report(claimed.run, attempt);
    return { job: DONE, answered: wasAnswered(attempt) };
  }

  async function deliverReserved(
    run: RunToDeliver,
    { release, rendered }: Reservation,
    onClaimed: () => void = () => undefined,
  ): Promise<JobOutcome> {
    const abort = new AbortController();
    const work = attemptRun(run, { signal: abort.signal, onRendered: rendered, onClaimed });
    open.set(work, abort);
    let answered: boolean | undefined;
    try {
      const attempted = await work;
      answered = attempted.answered;
      return attempted.job;
    } finally {
      open.delete(work);
      release(answered);
      parking.slotReleased();
    }
  }

  const parking = createParking({
    slots,
    reservations,
    findDueRuns: deps.findDueRuns,
    onError,
    async deliver(run, reservation, onClaimed) {
      try {
        await deliverReserved(run, reservation, onClaimed);
      } catch (error) {
        onError(error);
      }
    },
  });

  return {
    parking,
    async deliver(runId) {
      const run = await findRun(runId);
      if (!run) return DONE;
      if (stopping) return PUT_BACK;
      const reserved = reservations.take(run);
      if (reserved.outcome === 'reserved') return deliverReserved(run, reserved.reservation);
      parking.park(run);
      return DONE;
    },
    stopTaking() {
      stopping = true;
      parking.stop();
    },
    async drain(deadlineMs) {
      if (await settlesWithin([...open.keys()], deadlineMs)) return;
      for (const abort of open.values()) abort.abort();
      await settlesWithin([...open.keys()], WRITE_ALLOWANCE_MS);
    },
  };
}
