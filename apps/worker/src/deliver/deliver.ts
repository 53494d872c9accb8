import {
  type ClaimedRun,
  type ClaimOutcome,
  type ClaimRun,
  type FindRunToDeliver,
  isTakenByClaim,
  type RunToDeliver,
} from '@postrider/db';
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

/** What became of a run that a job has brought. */
export type StartOutcome =
  /**
   * The run needs this job no more: it is claimed, belongs to another worker, is over, or starts when what it needs is
   * free. `ended` settles, and never rejects, when its delivery has ended; left out when none was started.
   */
  | { readonly outcome: 'done'; readonly ended?: Promise<void> }
  /** Not due yet by the database's clock, or left to another process. */
  | { readonly outcome: 'later'; readonly delayMs: number };

/**
 * Takes up a run, and resolves as soon as its lease covers it: its delivery goes on. Rejects only if Postgres is
 * unreachable; the sweeper brings the run back.
 */
export type DeliverRun = (runId: string) => Promise<StartOutcome>;

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

/** Whether the remote end answered at all; undefined when nothing was sent. */
function wasAnswered({ result }: AttemptReport): boolean | undefined {
  if (result.outcome === 'delivered' || result.response !== null) return true;
  return result.code === 'template_render_failed' ? undefined : false;
}

const DONE = { outcome: 'done' } as const;
/** Delay after which the process that put the run back has exited. */
export const PUT_BACK = { outcome: 'later', delayMs: 1_000 } as const;
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

  async function deliver(runId: string): Promise<StartOutcome> {
    const run = await findRun(runId);
    if (!run) return DONE;
    if (stopping) return PUT_BACK;
    const reserved = reservations.tryAcquire(run);
    if (reserved.outcome === 'reserved') {
      const { claiming, ended } = start(run, reserved.reservation);
      const claimed = await claiming;
      if (claimed.outcome === 'not_due') return { outcome: 'later', delayMs: claimed.dueInMs };
      return { outcome: 'done', ended };
    }
    deferredChannels.defer(run);
    return DONE;
  }

  /** `ended` never rejects; a claim that fails is for the caller to report. */
  function start(
    { runId, environmentId }: RunToDeliver,
    { release, rendered }: Reservation,
  ): { claiming: Promise<ClaimOutcome>; ended: Promise<void> } {
    const abort = new AbortController();
    const askedAt = monotonicMs();
    const claiming = claim({ runId, environmentId, attemptId: newId() });

    async function attempt(): Promise<boolean | undefined> {
      const claimed = await claiming.catch(() => null);
      if (claimed?.outcome !== 'claimed') return undefined;
      const bounds = { signal: abort.signal, askedAt, onRendered: rendered };
      const attempted = await runAttempt(claimed.run, bounds);
      report(claimed.run, attempted);
      return wasAnswered(attempted);
    }

    async function untilReleased(): Promise<void> {
      /** See `ReleaseSlot`. */
      let answered: boolean | undefined;
      try {
        answered = await attempt();
      } catch (error) {
        onError(error);
      } finally {
        open.delete(ended);
        release(answered);
        deferredChannels.slotReleased();
      }
    }

    const ended = untilReleased();
    open.set(ended, abort);
    return { claiming, ended };
  }

  const deferredChannels = createDeferredChannels({
    limiter,
    reservations,
    findDueRuns: deps.findDueRuns,
    onError,
    async deliver(run, reservation, onClaimed) {
      const { claiming, ended } = start(run, reservation);
      try {
        // A run that the claim has ended or held is not found again either.
        if (isTakenByClaim(await claiming)) onClaimed();
      } catch (error) {
        onError(error);
      }
      await ended;
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
