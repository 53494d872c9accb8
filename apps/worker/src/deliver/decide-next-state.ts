import type { ClaimedRun } from '@postrider/db';
import {
  type AttemptError,
  type AttemptOutcome,
  attemptsExhausted,
  type RetryPolicy,
  retryDelayMs,
} from '@postrider/domain';

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
 * @param measured its times since the claim, and what it sent
 */
export function decideNextState(
  outcome: AttemptOutcome,
  run: ClaimedRun,
  jitter: () => number,
  measured: Pick<Decided, 'sent' | 'renderMs' | 'durationMs'>,
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
    ...{ ...outcome, ...measured, error, expires },
    next: expires ? { status: 'retrying', delayMs: leftMs } : next,
  };
}
