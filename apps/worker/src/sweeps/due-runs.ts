import { type Database, type FindRunChannel, findOverdueRuns, type OverdueRun } from '@postrider/db';
import { CHANNEL_KINDS, type ChannelKind } from '@postrider/domain';
import { generationOf, type Producer } from '@postrider/queue';
import type { Parking } from '../deliver/parking.ts';

/** A run is given this long to be taken up by the job that was added when it was accepted. */
const GRACE_MS = 1_000;
/** Jobs that may wait in one queue before the sweeper adds no more: 5,000 cost Redis some 5 MB. */
const HIGH_WATER_MARK = 5_000;
/**
 * Runs of one channel and round; a channel with more is parked, so that the process takes up the rest by
 * itself.
 */
const PER_CHANNEL = 100;

export interface DueRunsDeps {
  readonly db: Database;
  readonly producer: Producer;
  readonly findChannel: FindRunChannel;
  readonly parking: Pick<Parking, 'park' | 'isParked'>;
}

/** How many more jobs fit into the queue of a kind; 0 while Redis does not answer. */
async function roomFor(kind: ChannelKind, producer: Producer): Promise<number> {
  const waiting = await producer.waiting(kind);
  return waiting === null ? 0 : Math.max(0, HIGH_WATER_MARK - waiting);
}

/** The runs by channel, without those of channels that this process takes up by itself. */
async function byChannel(runs: readonly OverdueRun[], { findChannel, parking }: DueRunsDeps) {
  const found = await Promise.all(runs.map(({ runId }) => findChannel(runId)));
  const channels = new Map<string, OverdueRun[]>();
  for (const [index, run] of runs.entries()) {
    const channelId = found[index]?.channelId;
    if (channelId === undefined || parking.isParked(channelId)) continue;
    channels.set(channelId, [...(channels.get(channelId) ?? []), run]);
  }
  return channels;
}

/**
 * Re-enqueues what is due and that nobody has taken: the safety net under every enqueue that failed and every
 * job that Redis lost. A run whose job still waits keeps it, because the job's id is the same. The runs of a
 * parked channel are left alone: their jobs would only be refused a slot again, round after round.
 */
export async function sweepDueRuns(deps: DueRunsDeps): Promise<void> {
  const { db, producer, parking } = deps;
  const rooms = await Promise.all(CHANNEL_KINDS.map((kind) => roomFor(kind, producer)));
  if (rooms.every((room) => room === 0)) return;
  const page = { graceMs: GRACE_MS, perChannel: PER_CHANNEL, limit: HIGH_WATER_MARK };
  const runs = await findOverdueRuns(db, page);
  const fitting = CHANNEL_KINDS.flatMap((kind, index) =>
    runs.filter(({ channelKind }) => channelKind === kind).slice(0, rooms[index]),
  );
  const channels = await byChannel(fitting, deps);
  const toEnqueue = [...channels.values()].flat().map(({ overdueMs, ...run }) => ({
    ...run,
    generation: generationOf(overdueMs),
  }));
  await producer.enqueue(toEnqueue);
  for (const [channelId, ofChannel] of channels) {
    if (ofChannel.length >= PER_CHANNEL) parking.park(channelId);
  }
}
