import type { AttemptResult, ClaimedRun, NextState } from '@postrider/db';
import {
  attemptsExhausted,
  DEFAULT_RETRY_POLICY,
  isRetryPolicy,
  type RetryPolicy,
  retryDelayMs,
} from '@postrider/domain';
import type { SendFailure, SendResult } from '../channels/channel.ts';

export interface Verdict {
  readonly result: AttemptResult;
  readonly next: NextState;
  readonly disableChannel: boolean;
}

/** The channel's policy as it is now, but with as many attempts as the run was accepted with. */
function policyOf({ channel, maxAttempts }: ClaimedRun): RetryPolicy {
  const policy = isRetryPolicy(channel.retry) ? channel.retry : DEFAULT_RETRY_POLICY;
  return { ...policy, max_attempts: maxAttempts };
}

function nextAfter(failed: SendFailure, run: ClaimedRun, jitter: () => number): NextState {
  const policy = policyOf(run);
  const attempt = run.attemptNumber;
  if (!failed.retryable || attemptsExhausted(policy, attempt)) return { status: 'failed' };
  const delayMs = retryDelayMs({ policy, attempt, jitter, retryAfterMs: failed.retryAfterMs });
  return { status: 'retrying', delayMs };
}

/**
 * Decides what an attempt's result makes of the run (docs/specification.md, "Retries"). `retryable` tells of
 * the failure, not of the run.
 */
export function judge(result: SendResult, run: ClaimedRun, jitter: () => number): Verdict {
  if (result.outcome === 'delivered') {
    return { result: { status: 'succeeded' }, next: { status: 'succeeded' }, disableChannel: false };
  }
  const { outcome, code, message, retryable, endpointGone } = result;
  return {
    result: { status: outcome, errorCode: code, errorMessage: message, retryable },
    next: nextAfter(result, run, jitter),
    disableChannel: endpointGone,
  };
}
