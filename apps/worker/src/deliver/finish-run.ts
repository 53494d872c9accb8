import {
  type ClaimedRun,
  type EndedAttempt,
  type FeedbackDeps,
  type FinishAttempt,
  isDatabaseUnreachable,
  isTransactionConflict,
  LEASE_MARGIN_MS,
  recordFeedback,
} from '@postrider/db';
import {
  type AttemptError,
  type AttemptOutcome,
  attemptsExhausted,
  type RetryPolicy,
  retryDelayMs,
  type SkippedCopy,
} from '@postrider/domain';
import type { Enqueue } from '@postrider/queue';

/** The feedback source of what a remote end said while a message was sent. */
const SESSION_SOURCE = 'session';

/** Records the addresses that an attempt found refused. */
export type RecordBounces = (run: ClaimedRun, outcome: AttemptOutcome, at: Date) => Promise<void>;

/**
 * A refusal in the session is the same fact as a report that comes later, and is recorded in the same way: as feedback of
 * the run, which suppresses the address. If this fails, the result of the attempt is still written.
 */
export function createRecordBounces(deps: FeedbackDeps, onError: (error: unknown) => void): RecordBounces {
  return async ({ ids, environmentId, channel, attemptNumber }, { bounces = [], account }, at) => {
    try {
      await recordFeedback(deps, {
        environmentId,
        channelId: channel.id,
        source: SESSION_SOURCE,
        onlyRecipient: false,
        account,
        events: bounces.map((bounce, index) => ({
          ...bounce,
          id: `${attemptNumber}/${index}`,
          type: 'bounced',
          runId: ids.run,
          providerMessageId: null,
          at,
        })),
      });
    } catch (error) {
      onError(error);
    }
  };
}

/** The longest stored reason of a refused copy, in characters: a mail has up to 50. */
const MAX_COPY_REASON = 200;

/** The copies that an attempt did not reach; undefined if there are none. */
export function skippedCopiesOf(
  { skippedCopies = [] }: AttemptOutcome,
  suppressed: readonly string[],
): SkippedCopy[] | undefined {
  const skipped: SkippedCopy[] = [
    ...suppressed.map((email) => ({ email, outcome: 'suppressed' as const, reason: null })),
    ...skippedCopies.map(({ reason, ...copy }) => ({
      ...copy,
      reason: reason?.slice(0, MAX_COPY_REASON).replace(/\p{Surrogate}/gu, '') ?? null,
    })),
  ];
  return skipped.length === 0 ? undefined : skipped;
}

type Decided = AttemptOutcome<'decided'>;

/** The channel's current policy, with the number of attempts that the run was accepted with. */
function policyOf({ channel, maxAttempts }: ClaimedRun): RetryPolicy {
  return { ...channel.retry, max_attempts: maxAttempts };
}

function stateAfterError(error: AttemptError, run: ClaimedRun, jitter: () => number): Decided['next'] {
  const policy = policyOf(run);
  const attempt = run.attemptNumber;
  if (!error.retryable || attemptsExhausted(policy, attempt)) return { status: 'failed' };
  const delayMs = retryDelayMs({ policy, attempt, jitter, retryAfterMs: error.retryAfterMs });
  return { status: 'retrying', delayMs };
}

/** Milliseconds until the event expires, by the database's clock at the claim. Infinity if it does not. */
function expiresInMs({ expiresAt, claimedAt }: ClaimedRun, sinceClaimMs: number): number {
  if (!expiresAt) return Number.POSITIVE_INFINITY;
  return Math.max(0, expiresAt.getTime() - claimedAt.getTime() - sinceClaimMs);
}

/**
 * Decides the next state of a run from the outcome of its attempt (docs/specification.md, "Retries"). If a gone endpoint
 * pauses the channel, the run is retried, so that it waits with the others. If the event expires before the retry, the run
 * is due when it expires: the claim then sends nothing.
 * @param measured its times since the claim, what it sent, and the copies that it skipped
 */
export function decideNextState(
  outcome: AttemptOutcome,
  run: ClaimedRun,
  jitter: () => number,
  measured: Pick<Decided, 'sent' | 'renderMs' | 'durationMs' | 'skippedCopies'>,
): Decided {
  if (outcome.status === 'succeeded') {
    return { ...outcome, ...measured, next: { status: 'succeeded' }, expires: false };
  }
  const waits = outcome.error.endpointGone && run.channel.failurePolicy.then === 'pause' && !run.message.test;
  const error = waits ? { ...outcome.error, retryable: true } : outcome.error;
  const next = stateAfterError(error, run, jitter);
  const leftMs = expiresInMs(run, measured.durationMs);
  const expires = next.status === 'retrying' && next.delayMs >= leftMs;
  return {
    ...outcome,
    ...measured,
    error,
    expires,
    next: expires ? { status: 'retrying', delayMs: leftMs } : next,
  };
}

/** The first pause between two tries. It doubles up to the longest. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 1_000;

/**
 * Retries a write after each error that `isRetryable`, until `giveUpAt` by the clock `now`, and then rejects with the
 * last error. If a result is not written, the attempt becomes `unknown` and the run is sent again.
 */
export async function retryUntil<T>(
  write: () => Promise<T>,
  {
    giveUpAt,
    isRetryable,
    now = () => performance.now(),
  }: { giveUpAt: number; isRetryable: (error: unknown) => boolean; now?: () => number },
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      if (!isRetryable(error) || now() + waitMs > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

export interface FinishDeps {
  readonly finish: FinishAttempt;
  /** Writes the result and pauses or disables the channel, in one transaction. */
  readonly finishAndStopChannel: (ended: EndedAttempt<ClaimedRun>) => ReturnType<FinishAttempt>;
  /** Called if the channel could not be paused or disabled, before the result is written without that. */
  readonly onStopFailed: (error: unknown) => void;
  /** Called if PostgreSQL refused to store the result, before it is written without what the receiver sent. */
  readonly onRefused: (error: unknown) => void;
  /** Ends a run whose event expires before its next attempt. Returns whether it did: otherwise its claim does. Never throws. */
  readonly expire: (run: ClaimedRun) => Promise<boolean>;
  readonly enqueue: Enqueue;
  /** Starts moving the turn of ordering keys. Returns immediately and never throws. */
  readonly moveOrder: () => void;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

const isOutageOrConflict = (error: unknown) => isDatabaseUnreachable(error) || isTransactionConflict(error);

/**
 * The attempt without what the receiver sent. Each sender bounds that, but one omission would otherwise leave the run without a
 * result, and it would be sent again and again.
 */
function withoutResponse({ run, outcome }: EndedAttempt<ClaimedRun>): EndedAttempt<ClaimedRun> {
  const left = { response: null, providerMessageId: undefined, tried: undefined, skippedCopies: undefined };
  const message = 'The service could not store what the receiver sent; see its log.';
  return {
    run,
    outcome:
      outcome.status === 'succeeded'
        ? { ...outcome, ...left }
        : { ...outcome, ...left, error: { ...outcome.error, message } },
  };
}

type Write = () => ReturnType<FinishAttempt>;

/** Tries `write` until it fails permanently, and from then on `other`. */
function orElse(write: Write, other: Write, onFailed: (error: unknown) => void): Write {
  let next = write;
  return async () => {
    if (next === other) return other();
    try {
      return await write();
    } catch (error) {
      if (isOutageOrConflict(error)) throw error;
      onFailed(error);
      next = other;
      return other();
    }
  };
}

/**
 * Returns a function that tries once to write the outcome, and to pause or disable the channel if its endpoint is gone. What
 * fails permanently is left out by later tries, because the outcome matters more.
 */
function createWrite(deps: FinishDeps, ended: EndedAttempt<ClaimedRun>): Write {
  const { finish, finishAndStopChannel, onStopFailed, onRefused } = deps;
  const { error, asksForPause } = ended.outcome;
  const write = orElse(
    () => finish(ended),
    () => finish(withoutResponse(ended)),
    onRefused,
  );
  return error?.endpointGone === true || asksForPause === true
    ? orElse(() => finishAndStopChannel(ended), write, onStopFailed)
    : write;
}

/**
 * Writes an attempt's outcome, pauses or disables the channel if its endpoint is gone, and enqueues the retry. Rejects
 * if the outcome could not be written before the lease ended, because a later write would be refused.
 * @param askedAt monotonic time just before the claim was requested
 */
export async function finishRun(
  deps: FinishDeps,
  run: ClaimedRun,
  outcome: AttemptOutcome<'decided'>,
  askedAt: number,
): Promise<AttemptOutcome<'written'>> {
  const { channel } = run;
  const { next, expires } = outcome;
  const write = createWrite(deps, { run, outcome });
  let tries = 0;
  const written = await retryUntil(
    () => {
      tries += 1;
      return write();
    },
    {
      giveUpAt: askedAt + run.timeoutMs + LEASE_MARGIN_MS,
      isRetryable: isOutageOrConflict,
      now: deps.monotonicMs,
    },
  );
  const isUncertain = written === 'stale' && tries > 1;
  const hasExpired = expires && written === 'finished' && (await deps.expire(run));
  // An extra job is harmless: the claim decides.
  if ((written === 'finished' || isUncertain) && next.status === 'retrying' && !hasExpired) {
    await deps.enqueue([{ channelId: channel.id, channelKind: channel.kind, delayMs: next.delayMs }]);
  }
  // If this fails, the sweep does it: the end of the run was noted in the database.
  const hasEnded = hasExpired || next.status !== 'retrying';
  if (run.sequence !== null && written === 'finished' && hasEnded) deps.moveOrder();
  return { ...outcome, written: isUncertain ? 'uncertain' : written };
}
