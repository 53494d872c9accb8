import {
  expireHeldRuns,
  findHeldChannels,
  releaseHeldRuns,
  type SettleDeps,
  settleHealth,
  type UnboundDatabase,
} from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';

/** Channels per round that are settled, and channels whose held runs are released or ended. */
const MAX_CHANNELS = 200;

/** The UUIDs after which the next round continues; null for the beginning. */
export interface HealthTurn {
  settled: string | null;
  held: string | null;
}

export interface HealthDeps extends Omit<SettleDeps, 'db'> {
  readonly db: UnboundDatabase;
  readonly enqueue: EnqueueRuns;
  /** Kept and changed between rounds. */
  readonly turn: HealthTurn;
  /** Called if one channel failed. The others continue. */
  readonly onError: (error: unknown) => void;
}

/**
 * Settles the health of channels, and releases or ends their held runs. Returns how many runs were released or ended.
 * Every worker does this; locks in the database coordinate them. Runs that could not be enqueued are found by the
 * sweep of due runs.
 */
export async function sweepHealth({ enqueue, onError, turn, ...deps }: HealthDeps): Promise<number> {
  const { offsetMs = 0 } = deps;
  const { probes, next } = await settleHealth(deps, { limit: MAX_CHANNELS, after: turn.settled, onError });
  turn.settled = next;
  await enqueue(probes);
  let runs = 0;
  const held = await findHeldChannels(deps.db, { limit: MAX_CHANNELS, after: turn.held, offsetMs });
  turn.held = held.length < MAX_CHANNELS ? null : (held.at(-1)?.channelId ?? null);
  for (const channel of held) {
    try {
      if (channel.hasExpired) runs += await expireHeldRuns({ ...deps, offsetMs }, channel);
      const released = channel.isPaused
        ? []
        : await releaseHeldRuns({ ...deps, offsetMs }, channel.channelId);
      await enqueue(released);
      runs += released.length;
    } catch (error) {
      onError(error);
    }
  }
  return runs;
}
