import type { SendFailure, SendResult } from '@postrider/channels';
import {
  type AttemptResult,
  type ClaimedRun,
  type FinishAttempt,
  type FinishOutcome,
  type FinishRequest,
  type GoneChannel,
  isDatabaseUnreachable,
  isTransactionConflict,
  LEASE_MARGIN_MS,
  type NextState,
} from '@postrider/db';
import { attemptsExhausted, type RetryPolicy, retryDelayMs } from '@postrider/domain';
import type { EnqueueRuns } from '@postrider/queue';
import { retryUntil } from './retry-until.ts';

/** What an attempt's result means for the attempt, the run and the channel. */
export interface Decision {
  readonly result: AttemptResult;
  readonly next: NextState;
  readonly disableChannel: boolean;
}

/** The channel's current policy, but with the number of attempts that the run was accepted with. */
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

/**
 * Decides the next state of a run from the result of its attempt (docs/specification.md, "Retries"). `retryable`
 * in the result describes the failure, not the run: the run's last attempt is not retried.
 */
export function decideNextState(result: SendResult, run: ClaimedRun, jitter: () => number): Decision {
  if (result.outcome === 'delivered') {
    return { result: { status: 'succeeded' }, next: { status: 'succeeded' }, disableChannel: false };
  }
  const { outcome, code, message, retryable, endpointGone } = result;
  return {
    result: { status: outcome, errorCode: code, errorMessage: message, retryable },
    next: stateAfterFailure(result, run, jitter),
    disableChannel: endpointGone,
  };
}

export interface FinishDeps {
  readonly finish: FinishAttempt;
  /** Writes the result and disables the channel, both or neither. */
  readonly finishAndDisable: (request: FinishRequest, channel: GoneChannel) => Promise<FinishOutcome>;
  /** Called when a channel could not be disabled, before the result is written without that. */
  readonly onDisableFailed: (error: unknown) => void;
  readonly enqueue: EnqueueRuns;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
}

/** How an attempt ended. */
export interface Ending {
  readonly result: SendResult;
  readonly decision: Decision;
  readonly durationMs: number;
  /** Monotonic time just before the claim was requested. */
  readonly askedAt: number;
}

/**
 * `stale`: the lease was lost meanwhile, and nothing was written. `uncertain`: the response to an earlier try was
 * lost, and that try may have been written.
 */
export type WrittenResult = 'finished' | 'stale' | 'uncertain';

const isOutageOrConflict = (error: unknown) => isDatabaseUnreachable(error) || isTransactionConflict(error);

function goneChannel({ channel }: ClaimedRun, { result, decision }: Ending): GoneChannel | null {
  if (!decision.disableChannel || result.outcome === 'delivered') return null;
  return { channelId: channel.id, revision: channel.revision, reason: result.message };
}

/**
 * Returns a function that tries once to write the result. If disabling the channel fails for good, it leaves that
 * out from then on: the result matters more.
 */
function createWrite(
  { finish, finishAndDisable, onDisableFailed }: FinishDeps,
  request: FinishRequest,
  gone: GoneChannel | null,
): () => Promise<FinishOutcome> {
  let toDisable = gone;
  return async () => {
    if (!toDisable) return finish(request);
    try {
      return await finishAndDisable(request, toDisable);
    } catch (error) {
      if (isOutageOrConflict(error)) throw error;
      onDisableFailed(error);
      toDisable = null;
      return finish(request);
    }
  };
}

/**
 * Writes an attempt's result, disables the channel if its endpoint is gone, and adds the retry to the queue.
 * Rejects if the result could not be written before the lease ran out: a later write would be refused.
 */
export async function finishRun(deps: FinishDeps, run: ClaimedRun, ending: Ending): Promise<WrittenResult> {
  const { channel, runId, environmentId, attemptNumber, fence } = run;
  const { result, decision, durationMs, askedAt } = ending;
  const { next } = decision;
  const { response } = result;
  const write = createWrite(
    deps,
    { runId, environmentId, attemptNumber, fence, result: decision.result, next, durationMs, response },
    goneChannel(run, ending),
  );
  let tries = 0;
  const { outcome } = await retryUntil(
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
  const isUncertain = outcome === 'stale' && tries > 1;
  // An extra job is harmless: the claim decides.
  if ((outcome === 'finished' || isUncertain) && next.status === 'retrying') {
    const retry = { runId, channelKind: channel.kind, attempt: attemptNumber + 1, delayMs: next.delayMs };
    await deps.enqueue([retry]);
  }
  return isUncertain ? 'uncertain' : outcome;
}
