import {
  type ClaimedRun,
  type FinishAttempt,
  type FinishOutcome,
  type FinishRequest,
  type GoneChannel,
  isDatabaseUnreachable,
  isTransactionConflict,
  LEASE_MARGIN_MS,
} from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';
import type { SendResult } from '../channels/channel.ts';
import type { Verdict } from './judge.ts';
import { persistently } from './persist.ts';

export interface FinishDeps {
  readonly finish: FinishAttempt;
  /** Writes the result and disables the channel, both or neither. */
  readonly finishAndDisable: (request: FinishRequest, channel: GoneChannel) => Promise<FinishOutcome>;
  /** Hears why a channel could not be disabled, before the result is written without that. */
  readonly onDisableFailed: (error: unknown) => void;
  readonly enqueue: EnqueueRuns;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
}

/** How an attempt ended. */
export interface Ending {
  readonly result: SendResult;
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** Monotonic time before the claim was asked for. */
  readonly askedAt: number;
}

/**
 * `stale`: the lease was lost meanwhile, and nothing was written. `uncertain`: the answer to an earlier try
 * was lost, and that one may have been written.
 */
export type WrittenResult = 'finished' | 'stale' | 'uncertain';

const isOutageOrConflict = (error: unknown) => isDatabaseUnreachable(error) || isTransactionConflict(error);

function goneChannel({ channel }: ClaimedRun, { result, verdict }: Ending): GoneChannel | null {
  if (!verdict.disableChannel || result.outcome === 'delivered') return null;
  return { channelId: channel.id, revision: channel.revision, reason: result.message };
}

/** One try to write the result. A disable that fails for good is left out from then on: the result counts. */
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
 * Writes an attempt's result, with its channel when that is to be disabled, and adds the retry to the queue.
 * Rejects when the result could not be written while the lease lasted.
 */
export async function finishRun(deps: FinishDeps, run: ClaimedRun, ending: Ending): Promise<WrittenResult> {
  const { channel, runId, environmentId, attemptNumber, fence } = run;
  const { result, verdict, durationMs, askedAt } = ending;
  const { next } = verdict;
  const { response } = result;
  const write = createWrite(
    deps,
    { runId, environmentId, attemptNumber, fence, result: verdict.result, next, durationMs, response },
    goneChannel(run, ending),
  );
  let tries = 0;
  const { outcome } = await persistently(
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
  // A job too many does no harm: the claim decides.
  if ((outcome === 'finished' || isUncertain) && next.status === 'retrying') {
    const retry = { runId, channelKind: channel.kind, attempt: attemptNumber + 1, delayMs: next.delayMs };
    await deps.enqueue([retry]);
  }
  return isUncertain ? 'uncertain' : outcome;
}
