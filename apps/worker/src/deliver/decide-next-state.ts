import type { SendFailure, SendResult } from '@postrider/channels';
import type { AttemptResult, ClaimedRun, NextState } from '@postrider/db';
import { attemptsExhausted, type RetryPolicy, retryDelayMs } from '@postrider/domain';

/** What an attempt's result means for the attempt, the run and the channel. */
export interface Decision {
  readonly result: AttemptResult;
  readonly next: NextState;
  /** Whether the event expires before another attempt. Then the run ends as `expired`, at the latest when it is due. */
  readonly expires: boolean;
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

/** Milliseconds until the event expires, by the database's clock at the claim. Infinity if it does not. */
function expiresInMs({ expiresAt, claimedAt }: ClaimedRun, sinceClaimMs: number): number {
  if (!expiresAt) return Number.POSITIVE_INFINITY;
  return Math.max(0, expiresAt.getTime() - claimedAt.getTime() - sinceClaimMs);
}

/**
 * Decides the next state of a run from the result of its attempt (docs/specification.md, "Retries"). `retryable` in
 * the result is about the failure, not the run: the last attempt of a run is not retried. If a gone endpoint pauses
 * the channel, the run is retried, so that it waits with the others. If the event expires before the retry, the run
 * is due when it expires: the claim then sends nothing.
 * @param sinceClaimMs milliseconds since the claim
 */
export function decideNextState(
  result: SendResult,
  run: ClaimedRun,
  jitter: () => number,
  sinceClaimMs = 0,
): Decision {
  if (result.outcome === 'delivered') {
    return {
      result: { status: 'succeeded' },
      next: { status: 'succeeded' },
      expires: false,
      endpointGone: false,
    };
  }
  const { outcome, code, message, endpointGone } = result;
  const waits = endpointGone && run.channel.failurePolicy.then === 'pause' && !run.message.test;
  const failed = waits ? { ...result, retryable: true } : result;
  const next = stateAfterFailure(failed, run, jitter);
  const leftMs = expiresInMs(run, sinceClaimMs);
  const expires = next.status === 'retrying' && next.delayMs >= leftMs;
  return {
    result: { status: outcome, errorCode: code, errorMessage: message, retryable: failed.retryable },
    next: expires ? { status: 'retrying', delayMs: leftMs } : next,
    expires,
    endpointGone,
  };
}
