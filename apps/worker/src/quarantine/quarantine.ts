import {
  endLostRun,
  findQuarantinedRuns,
  isDatabaseUnreachable,
  LEASE_MARGIN_MS,
  type UnboundDatabase,
  withShare,
} from '@postrider/db';
import { type ChannelKind, formatId, type IdSource } from '@postrider/domain';
import type { Logger } from '@postrider/telemetry';
import { retryUntil } from '../deliver/finish-run.ts';
import type { RunToTry } from '../scheduler/claim-batching.ts';
import { startLoop } from '../sweeps/loop.ts';
import type { IsolatedProcess } from './isolated-process.ts';

/** The pause between two searches. A search ends when no run is left to try. */
const PAUSE_MS = 1_000;
/** Runs per search. The others wait in Postgres. */
const PAGE = 20;
/**
 * How long a channel is left out if this worker could not try its run, because another worker tries it or the channel's
 * limits do not allow it yet. There may be more such channels than a page has, and they must not delay others.
 */
const LEFT_OUT_MS = 1_000;
/** The same for a channel whose run failed before its attempt began: much longer than the pause, so that others come next. */
const FAILED_LEFT_OUT_MS = 60_000;
/** The pause after a process failed or ended before it got a run, so that a broken installation starts few processes. */
const REST_MS = 10_000;

interface QuarantineDeps {
  readonly db: UnboundDatabase;
  readonly isolated: IsolatedProcess;
  readonly newId: IdSource;
  readonly logger: Logger;
  readonly onError: (error: unknown) => void;
  /** Called for each run that was ended because it crashed the isolated process. */
  readonly onEnded: (kind: ChannelKind) => void;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

interface Quarantine {
  /** Starts no further run. At the deadline, in milliseconds, the open attempt is aborted and its result written. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Tries quarantined runs one after the other in an isolated process. A run that crashes the process is ended,
 * identified by the attempt's id. Every worker does this, and the claim decides between them.
 */
export function startQuarantine(deps: QuarantineDeps): Quarantine {
  const { db, isolated, newId, logger, onError, onEnded, jitter, monotonicMs } = deps;
  let stopping = false;
  let restsUntil = 0;

  async function endRun(run: RunToTry): Promise<boolean> {
    const lost = await retryUntil(() => endLostRun(db, run), {
      giveUpAt: monotonicMs() + LEASE_MARGIN_MS,
      isRetryable: isDatabaseUnreachable,
      now: monotonicMs,
    });
    if (lost.outcome === 'not_open') return false;
    logger.error('a run crashed the isolated process: it is not tried again', {
      run: formatId('run', run.runId),
      kind: lost.channelKind,
    });
    onEnded(lost.channelKind);
    return true;
  }

  /** Tries a run. Returns for how long to leave out its channel, in milliseconds; 0 if this worker got the run. */
  async function tryAlone(runId: string): Promise<number> {
    const run = { runId, attemptId: newId() };
    const trial = await isolated.tryRun(run);
    if (trial.outcome === 'done') {
      if (!trial.failed) return trial.claimed ? 0 : LEFT_OUT_MS;
      restsUntil = monotonicMs() + REST_MS;
      return FAILED_LEFT_OUT_MS;
    }
    if (trial.outcome === 'cut_off') return LEFT_OUT_MS;
    if (await endRun(run)) return 0;
    restsUntil = monotonicMs() + REST_MS;
    return LEFT_OUT_MS;
  }

  /** The channels that are left out, and until when, in milliseconds. */
  const leftOut = new Map<string, number>();

  function leftOutNow(): string[] {
    const now = monotonicMs();
    for (const [channelId, until] of leftOut) if (until <= now) leftOut.delete(channelId);
    return [...leftOut.keys()];
  }

  /** Ends when no run is left that this worker can try at present. */
  async function round(): Promise<void> {
    for (;;) {
      const found = await findQuarantinedRuns(db, { limit: PAGE, withoutChannels: leftOutNow() });
      if (found.length === 0) return;
      for (const { runId, channelId } of found) {
        if (stopping || monotonicMs() < restsUntil) return;
        if (leftOut.has(channelId)) continue;
        const leftOutMs = await tryAlone(runId);
        if (leftOutMs > 0) leftOut.set(channelId, monotonicMs() + leftOutMs);
      }
    }
  }

  const search = withShare('sweep', round);
  const loop = startLoop(PAUSE_MS * jitter(), async () => {
    try {
      await search();
    } catch (error) {
      restsUntil = monotonicMs() + REST_MS;
      onError(error);
    }
    return PAUSE_MS;
  });

  return {
    async stop(deadlineMs) {
      stopping = true;
      const looped = loop.stop();
      await isolated.stop(deadlineMs);
      await looped;
    },
  };
}
