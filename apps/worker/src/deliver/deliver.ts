import {
  type ClaimedRun,
  type ClaimOutcome,
  type ClaimRun,
  type ClaimWithinLimits,
  type FindRunToDeliver,
  isTakenByClaim,
  type LimitedClaim,
  type RunToDeliver,
} from '@postrider/db';
import { type AttemptOutcome, type IdSource, settlesWithin } from '@postrider/domain';
import type { AttemptBounds } from './attempt.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import {
  createDeferredChannels,
  type DeferredChannels,
  type DeferredChannelsDeps,
} from './deferred-channels.ts';
import { createLimitedChannels, type LimitedChannels } from './limited-channels.ts';
import type { ReportAttempt } from './observe.ts';
import { createReservations, type RenderPlaces, type Reservation } from './reservations.ts';

/** The result of starting a run of a job. */
export type StartOutcome =
  /**
   * The run no longer needs this job: it is claimed, belongs to another worker, has ended, or starts when a slot or
   * render place is free. `ended` resolves when its delivery has ended, never rejects, and is left out if no delivery
   * was started.
   */
  | { readonly outcome: 'done'; readonly ended?: Promise<void> }
  /** Not due yet by the database's clock, or left to another process. */
  | { readonly outcome: 'later'; readonly delayMs: number };

/**
 * Starts the delivery of a run. Resolves as soon as its lease covers it; the delivery continues. Rejects only if
 * PostgreSQL is unreachable; a sweep enqueues the run again.
 * @param said the run as its job describes it, which the claim verifies; looked up if left out
 */
export type DeliverRun = (runId: string, said?: RunToDeliver) => Promise<StartOutcome>;

interface DeliverDeps {
  readonly limiter: ConcurrencyLimiter;
  /** Limits how many runs may be claimed but not rendered, per tenant and in total. */
  readonly renderPlaces: RenderPlaces;
  readonly findRun: FindRunToDeliver;
  readonly findDueRuns: DeferredChannelsDeps['findDueRuns'];
  readonly claim: ClaimRun;
  readonly claimWithin: (asked: ClaimWithinLimits) => Promise<LimitedClaim>;
  readonly newId: IdSource;
  readonly runAttempt: (run: ClaimedRun, bounds: AttemptBounds) => Promise<AttemptOutcome<'written'>>;
  readonly report: ReportAttempt;
  readonly onError: (error: unknown) => void;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

export interface Delivering {
  readonly deliver: DeliverRun;
  /**
   * Delivers one run, for a process that has one run at a time. Waits for a render place instead of deferring the channel.
   * Resolves when the delivery has ended, when the claim refuses the run, or when this process stops. Rejects if PostgreSQL
   * is unreachable, or no render process starts.
   */
  deliverAlone(runId: string): Promise<void>;
  readonly deferredChannels: Pick<DeferredChannels, 'defer' | 'deferred'>;
  readonly limitedChannels: Pick<LimitedChannels, 'defer'>;
  /** Stops starting runs. Jobs that still arrive are put back for another process. */
  stopStarting(): void;
  /** Waits for open attempts. At the deadline they are aborted and their results written. */
  drain(deadlineMs: number): Promise<void>;
}

/** Whether the remote end responded at all; undefined if that is not known, or nothing was sent. */
function wasAnswered({ error, response }: AttemptOutcome): boolean | undefined {
  if (error === null || response !== null) return true;
  return error.stage === 'send' && error.code !== 'worker_lost' ? false : undefined;
}

const DONE = { outcome: 'done' } as const;
/** Long enough for the process that put the run back to exit. */
export const PUT_BACK = { outcome: 'later', delayMs: 1_000 } as const;
/** The longest wait for the results of aborted attempts to be written. */
export const WRITE_ALLOWANCE_MS = 2_000;

/**
 * The steps of a delivery: find the run, reserve a slot and a render place, claim the run, make the attempt, report it.
 * If nothing can be reserved, or the channel has limits, the channel is deferred.
 */
export function createDelivering(deps: DeliverDeps): Delivering {
  const { limiter, findRun, claim, newId, runAttempt, report, onError, monotonicMs } = deps;
  const open = new Map<Promise<unknown>, AbortController>();
  const reservations = createReservations(limiter, deps.renderPlaces);
  const stop = new AbortController();

  async function deliver(runId: string, known?: RunToDeliver): Promise<StartOutcome> {
    const run = known ?? (await findRun(runId));
    if (!run) return DONE;
    if (stop.signal.aborted) return PUT_BACK;
    const reserved = reservations.tryAcquire(run);
    if (reserved.outcome === 'reserved') {
      const { claiming, ended } = start(run, reserved.reservation);
      const claimed = await claiming;
      if (claimed.outcome === 'limited') limitedChannels.defer(run);
      if (claimed.outcome === 'not_due') return { outcome: 'later', delayMs: claimed.dueInMs };
      return { outcome: 'done', ended };
    }
    deferredChannels.defer(run);
    return DONE;
  }

  async function deliverAlone(runId: string): Promise<void> {
    const run = await findRun(runId);
    if (!run || stop.signal.aborted) return;
    const place =
      run.renderedFor === null ? undefined : await reservations.waitForRenderPlace(run, stop.signal);
    if (stop.signal.aborted) return;
    if (place === null) throw new Error('no render process started');
    const reserved = reservations.tryAcquire(run, place);
    if (reserved.outcome !== 'reserved') return;
    const { claiming, ended } = start(run, reserved.reservation);
    await claiming;
    await ended;
  }

  /** Claims and runs an attempt. `ended` never rejects; the caller reports a claim that fails. */
  function start(
    { runId, environmentId, channelId, kind, renderedFor }: RunToDeliver,
    reservation: Reservation,
  ): { claiming: Promise<ClaimOutcome>; ended: Promise<void> } {
    const askedAt = monotonicMs();
    const claiming = claim({
      ...{ runId, environmentId, channelId, channelKind: kind, renderedFor },
      attemptId: newId(),
    });
    return { claiming, ended: deliverClaimed(reservation, claiming, askedAt) };
  }

  /**
   * Delivers the run if the claim succeeds, and then releases the reservation. Never rejects.
   * @param askedAt monotonic milliseconds before the claim began
   */
  function deliverClaimed(
    { release, rendered }: Reservation,
    claiming: Promise<ClaimOutcome>,
    askedAt: number,
  ): Promise<void> {
    const abort = new AbortController();

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
        limitedChannels.slotReleased();
      }
    }

    const ended = untilReleased();
    open.set(ended, abort);
    return ended;
  }

  const deferredChannels = createDeferredChannels({
    limiter,
    reservations,
    findDueRuns: deps.findDueRuns,
    onError,
    async deliver(run, reservation, onClaimed) {
      const { claiming, ended } = start(run, reservation);
      try {
        const claimed = await claiming;
        if (claimed.outcome === 'limited') {
          deferredChannels.leave(run.channelId);
          limitedChannels.defer(run);
        }
        // A run that the claim has ended or held must not be found again either.
        if (isTakenByClaim(claimed)) onClaimed();
      } catch (error) {
        onError(error);
      }
      await ended;
    },
  });

  const limitedChannels = createLimitedChannels({
    limiter,
    reservations,
    claimWithin: deps.claimWithin,
    deliver: deliverClaimed,
    onUnlimited: deferredChannels.defer,
    onError,
    jitter: deps.jitter,
    monotonicMs,
  });

  return {
    deliver,
    deliverAlone,
    deferredChannels,
    limitedChannels,
    stopStarting() {
      stop.abort();
      deferredChannels.stop();
      limitedChannels.stop();
    },
    async drain(deadlineMs) {
      if (await settlesWithin([...open.keys()], deadlineMs)) return;
      for (const abort of open.values()) abort.abort();
      await settlesWithin([...open.keys()], WRITE_ALLOWANCE_MS);
    },
  };
}
