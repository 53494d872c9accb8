import {
  expireHeldRuns,
  findHeldChannels,
  findReleasingChannels,
  findResumedStreams,
  releaseHeldRuns,
  type SettleDeps,
  settleHealth,
  type UnboundDatabase,
} from '@postrider/db';
import type { Enqueue } from '@postrider/queue';

/** Channels per round in each step: settling health, releasing held runs, and ending expired ones. */
const MAX_CHANNELS = 200;

/** The UUIDs after which the next round continues; null for the beginning. */
export interface HealthCursor {
  settled: string | null;
  held: string | null;
}

export interface HealthDeps extends Omit<SettleDeps, 'db'> {
  readonly db: UnboundDatabase;
  readonly enqueue: Enqueue;
  /** Kept and changed between rounds. */
  readonly cursor: HealthCursor;
  /** Called if one channel failed. The others continue. */
  readonly onError: (error: unknown) => void;
}

/**
 * Settles the health of channels, and releases or ends their held runs. Returns how many runs were released or ended.
 * Every worker does this; locks in the database coordinate them. Polls find runs whose
 * wake-ups could not be added.
 */
export async function sweepHealth({ enqueue, onError, cursor, ...deps }: HealthDeps): Promise<number> {
  const { offsetMs = 0 } = deps;
  const { probes, next } = await settleHealth(deps, { limit: MAX_CHANNELS, after: cursor.settled, onError });
  cursor.settled = next;
  await enqueue(probes);
  let runs = 0;
  const tryEach = async <Each>(all: Iterable<Each>, work: (each: Each) => Promise<number>) => {
    for (const each of all) {
      try {
        runs += await work(each);
      } catch (error) {
        onError(error);
      }
    }
  };
  const held = await findHeldChannels(deps.db, { limit: MAX_CHANNELS, after: cursor.held, offsetMs });
  cursor.held = held.next;
  const expired = held.channels.filter(({ hasExpired }) => hasExpired);
  await tryEach(expired, ({ channelId }) => expireHeldRuns({ ...deps, offsetMs }, channelId));
  const resumed = held.channels.filter(({ isPaused }) => !isPaused).map(({ channelId }) => channelId);
  const releasing = await findReleasingChannels(deps.db, MAX_CHANNELS);
  const streams = await findResumedStreams(deps.db, MAX_CHANNELS);
  await tryEach(new Set([...releasing, ...resumed, ...streams.keys()]), async (channelId) => {
    const released = await releaseHeldRuns({ ...deps, offsetMs }, channelId, streams.get(channelId));
    await enqueue(released);
    return released.length;
  });
  return runs;
}
