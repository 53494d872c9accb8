import type { ChannelFacts, WaitingRun } from '@postrider/db';
import type { Delivering } from '../deliver/attempt.ts';
import type { Claims, RunToTry } from '../scheduler/claims.ts';
import type { RenderPermits } from '../scheduler/permits.ts';

interface AloneDeps {
  readonly findRun: (runId: string) => Promise<WaitingRun | null>;
  readonly factsOf: (channelId: string) => Promise<ChannelFacts | null>;
  readonly renders: RenderPermits;
  readonly claims: Pick<Claims, 'claimRun' | 'refuse'>;
  readonly deliver: Delivering['deliver'];
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** The slot of a process that has one run at a time. */
const ONLY_SLOT = { release: () => undefined };

/**
 * Creates the delivery of one run by its id, for a process that has one run at a time. Returns whether it got the run, and
 * resolves when its delivery has ended. Rejects if PostgreSQL is unreachable, or no render process starts.
 */
export function createDeliverAlone({
  findRun,
  factsOf,
  renders,
  claims,
  deliver,
  monotonicMs,
}: AloneDeps): (asked: RunToTry, signal: AbortSignal) => Promise<boolean> {
  return async (asked, signal) => {
    const waiting = await findRun(asked.runId);
    const channel = waiting && (await factsOf(waiting.channelId));
    if (!channel || signal.aborted) return false;
    const holder = { owner: channel.tenantId, part: channel.channelId };
    const render = waiting.isRendered ? await renders.acquire(holder, signal) : undefined;
    if (signal.aborted) return false;
    if (render === null) throw new Error('no render process started');
    const askedAt = monotonicMs();
    try {
      const answer = await claims.claimRun(channel, asked);
      const [run] = answer?.runs ?? [];
      if (run) await deliver(run, { slot: ONLY_SLOT, render }, askedAt);
      const refused = answer?.refused ?? [];
      return run !== undefined || (refused.length > 0 && (await claims.refuse(channel, refused)) > 0);
    } finally {
      render?.release();
    }
  };
}
