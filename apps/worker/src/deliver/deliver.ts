import type { ClaimedRun, ClaimRun, FindRunToDeliver, RunToDeliver } from '@postrider/db';
import { type IdSource, settlesWithin } from '@postrider/domain';
import type { AttemptBounds, AttemptReport } from './attempt.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import {
  createDeferredChannels,
  type DeferredChannels,
  type DeferredChannelsDeps,
} from './deferred-channels.ts';
import type { ReportAttempt } from './observe.ts';
import { createReservations, type RenderPlaces, type Reservation } from './reservations.ts';

export type JobOutcome =
  /**
   * Nothing is left to do with this job: the run was tried, belongs to another worker, is over, or starts when
   * what it needs is free.
   */
  | { readonly outcome: 'done' }
  /** Not due yet by the database's clock. */
  | { readonly outcome: 'later'; readonly delayMs: number };

/** Delivers the run of a job. Rejects only if Postgres is unreachable; the sweeper brings the run back. */
export type DeliverRun = (runId: string) => Promise<JobOutcome>;

export interface DeliverDeps {
  readonly limiter: ConcurrencyLimiter;
  /** How many runs may be claimed and not rendered yet, of one tenant and together. */
  readonly renderPlaces: RenderPlaces;
  readonly findRun: FindRunToDeliver;
  readonly findDueRuns: DeferredChannelsDeps['findDueRuns'];
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
  readonly deferredChannels: Pick<DeferredChannels, 'defer' | 'deferred'>;
  /** Starts nothing more: jobs that still arrive are put back for another process. */
  stopStarting(): void;
  /** Waits for open attempts; at the deadline they are aborted and their results written. */
  drain(deadlineMs: number): Promise<void>;
}

interface Attempted {
  readonly job: JobOutcome;
  /** See `ReleaseSlot`. */
  readonly answered?: boolean | undefined;
}

/** Whether the remote end answered at all; undefined when nothing was sent. */
function wasAnswered({ result }: AttemptReport): boolean | undefined {
  if (result.outcome === 'delivered' || result.response !== null) return true;
  return result.code === 'template_render_failed' ? undefined : false;
}

const DONE = { outcome: 'done' } as const;
/** Long enough that the process that put the job back is gone when it is due again. */
const PUT_BACK = { outcome: 'later', delayMs: 1_000 } as const;
/** Longest wait for the results of aborted attempts to be written. */
export const WRITE_ALLOWANCE_MS = 2_000;

/**
 * The steps of a delivery: look up the run, reserve what it needs, claim it, run the attempt, report it. A run
 * that cannot have what it needs defers its channel.
 */
export function createDelivering(deps: DeliverDeps): Delivering {
  const { limiter, findRun, claim, newId, runAttempt, report, onError, monotonicMs } = deps;
  const open = new Map<Promise<unknown>, AbortController>();
  const reservations = createReservations(limiter, deps.renderPlaces);
  let stopping = false;

  async function deliver(runId: string): Promise<JobOutcome> {
    const run = await findRun(runId);
    if (!run) return DONE;
    if (stopping) return PUT_BACK;
    const reserved = reservations.tryAcquire(run);
    if (reserved.outcome === 'reserved') return deliverReserved(run, reserved.reservation);
    deferredChannels.defer(run);
    return DONE;
  }

  async function deliverReserved(
    run: RunToDeliver,
    { release, rendered }: Reservation,
    onClaimed: () => void = () => undefined,
  ): Promise<JobOutcome> {
    const abort = new AbortController();
    const work = claimAndAttempt(run, { signal: abort.signal, onRendered: rendered, onClaimed });
    open.set(work, abort);
    let answered: boolean | undefined;
    try {
      const attempted = await work;
      answered = attempted.answered;
      return attempted.job;
    } finally {
      open.delete(work);
      release(answered);
      deferredChannels.slotReleased();
    }
  }

  async function claimAndAttempt(
    { runId, environmentId }: RunToDeliver,
    {
      signal,
      onRendered,
      onClaimed,
    }: Pick<AttemptBounds, 'signal' | 'onRendered'> & { onClaimed: () => void },
  ): Promise<Attempted> {
    const askedAt = monotonicMs();
    const claimed = await claim({ runId, environmentId, attemptId: newId() });
    // The claim ended the run of a channel that is gone: that run is not found again either.
    if (claimed.outcome === 'claimed' || claimed.outcome === 'channel_disabled') onClaimed();
    if (claimed.outcome === 'not_due') return { job: { outcome: 'later', delayMs: claimed.dueInMs } };
    if (claimed.outcome !== 'claimed') return { job: DONE };
    const attempt = await runAttempt(claimed.run, { signal, askedAt, onRendered });
    report(claimed.run, attempt);
    return { job: DONE, answered: wasAnswered(attempt) };
  }

  const deferredChannels = createDeferredChannels({
    limiter,
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
    deliver,
    deferredChannels,
    stopStarting() {
      stopping = true;
      deferredChannels.stop();
    },
    async drain(deadlineMs) {
      if (await settlesWithin([...open.keys()], deadlineMs)) return;
      for (const abort of open.values()) abort.abort();
      await settlesWithin([...open.keys()], WRITE_ALLOWANCE_MS);
    },
  };
}
