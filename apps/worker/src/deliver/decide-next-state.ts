import type { SendFailure, SendResult } from '@postrider/channels';
import type { AttemptResult, ClaimedRun, NextState } from '@postrider/db';
import { attemptsExhausted, type RetryPolicy, retryDelayMs } from '@postrider/domain';

/** What an attempt's result means for the attempt, the run and the channel. */
export interface Decision {
  readonly result: AttemptResult;
  readonly next: NextState;
  /** Whether to pause or disable the channel, because its endpoint is gone. */
  readonly endpointGone: boolean;
}

/** The channel's current policy, with the number of attempts that the run was accepted with. */
function policyOf({ channel, maxAttempts }: ClaimedRun): RetryPolicy {
  return { ...channel.retry, max_attempts: maxAttempts };
}

function stateAfterFailure(failed: SendFailure, run: ClaimedRun, jitter: () => number): NextState {
  const policy = policyOf(run);
  const attempt = run.attemptNumber;
  if (!failed.retryable || attemptsExhausted(policy, attempt)) return { status: 'failed' };
  const delayMs = retryDelayMs({ policy, attempt, jitter, retryAfterMs: failed.retryAfterMs });
  return { status: 'retrying', delayMs };
}

/** Whether the event expires before the retry, by the database's clock at the claim. */
function expiresBefore({ expiresAt, claimedAt }: ClaimedRun, next: NextState, sinceClaimMs: number): boolean {
  if (!expiresAt || next.status !== 'retrying') return false;
  return claimedAt.getTime() + sinceClaimMs + next.delayMs >= expiresAt.getTime();
}

const EXPIRES_FIRST = ' The event expires before another attempt.';

/**
 * Decides the next state of a run from the result of its attempt (docs/specification.md, "Retries"). `retryable` in
 * the result is about the failure, not the run: the last attempt of a run is not retried. If a gone endpoint pauses
 * the channel, the run is retried, so that it waits with the others. There is no retry after the event has expired.
 * @param sinceClaimMs milliseconds since the claim
 */
export function decideNextState(
  result: SendResult,
  run: ClaimedRun,
  jitter: () => number,
  sinceClaimMs = 0,
): Decision {
  if (result.outcome === 'delivered') {
    return { result: { status: 'succeeded' }, next: { status: 'succeeded' }, endpointGone: false };
  }
  const { outcome, code, message, endpointGone } = result;
  const waits = endpointGone && run.channel.failurePolicy.then === 'pause' && !run.message.test;
  const failed = waits ? { ...result, retryable: true } : result;
  const next = stateAfterFailure(failed, run, jitter);
  const hasExpired = expiresBefore(run, next, sinceClaimMs);
  const errorMessage = hasExpired ? `${message}${EXPIRES_FIRST}` : message;
  return {
    result: { status: outcome, errorCode: code, errorMessage, retryable: failed.retryable },
    next: hasExpired ? { status: 'failed' } : next,
    endpointGone,
  };
}
