import {
  expireHeldRuns,
  findHeldChannels,
  releaseHeldRuns,
  type SettleDeps,
  settleHealth,
  type UnboundDatabase,
} from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';

/** Channels that one round settles, and as many whose waiting runs it releases or ends. */
const MAX_CHANNELS = 200;

/** Where the next round goes on: behind the channels of these UUIDs; null from the beginning. */
export interface HealthTurn {
  settled: string | null;
  held: string | null;
}

export interface HealthDeps extends Omit<SettleDeps, 'db'> {
  readonly db: UnboundDatabase;
  readonly enqueue: EnqueueRuns;
  /** Kept between rounds, which change it. */
  readonly turn: HealthTurn;
  /** Called when one channel failed; the others go on. */
  readonly onError: (error: unknown) => void;
}

/**
 * Settles the health of channels, and releases or ends the runs that wait for them. Every worker does: the database decides
 * between them. Returns how many runs were released or ended. Runs whose enqueueing fails are found by the sweep of due runs.
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
