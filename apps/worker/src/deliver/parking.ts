import type { PlacedChannel } from '@postrider/db';
import type { ReleaseSlot, Slots } from './slots.ts';

/** Runs fetched from Postgres at a time for one channel. */
const BATCH = 64;

/** A run and whose it is. */
export interface PlacedRun {
  readonly runId: string;
  readonly environmentId: string;
}

export interface ParkingDeps {
  readonly slots: Slots;
  /** The due runs of a channel that wait, oldest first. */
  readonly findDueRuns: (channelId: string, limit: number) => Promise<readonly string[]>;
  /**
   * Delivers a run in a slot that was taken for it, and gives the slot back. Tells, before that, when the
   * claim has won the run, which is then found no more. Never rejects.
   */
  readonly deliver: (run: PlacedRun, release: ReleaseSlot, onClaimed: () => void) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The channels that have more due runs than slots here: their runs are taken up as slots become free. */
export interface Parking {
  /** Takes up the channel's due runs, now or when it may have slots. */
  park(channel: PlacedChannel): void;
  /** To be called whenever a slot was given back. */
  slotReleased(): void;
  /** Ids of the parked channels. */
  parked(): readonly string[];
  /** Takes up nothing more. */
  stop(): void;
}

/** Runs that were fetched together. */
interface Batch {
  /** Found to be due and not yet taken up. */
  readonly runIds: string[];
  /** Deliveries that have not come to their end. */
  open: number;
  claimed: boolean;
}

interface ParkedChannel {
  readonly channel: PlacedChannel;
  /** The last that was fetched; null until the first is there. */
  batch: Batch | null;
  fetching: boolean;
  /**
   * Whether another job of the channel was refused since the last fetch began: what it is for may not have
   * been found.
   */
  refusedSince: boolean;
}

/**
 * A job that is refused a slot is gone from Redis: waiting there, it would hold one of the places that other
 * channels need. The run waits in Postgres, where the process finds it again, a batch at a time. The claim
 * decides between processes that find the same one. A batch of which no run could be claimed, because
 * somebody else holds them, would be found again at once and for as long: its channel is left to the sweeper.
 */
export function createParking({ slots, findDueRuns, deliver, onError }: ParkingDeps): Parking {
  /** By their channels' ids. */
  const parked = new Map<string, ParkedChannel>();
  let stopped = false;

  async function findRuns(channelId: string): Promise<readonly string[] | null> {
    try {
      return await findDueRuns(channelId, BATCH);
    } catch (error) {
      onError(error);
      return null;
    }
  }

  async function fetchRuns(entry: ParkedChannel): Promise<void> {
    const { channelId } = entry.channel;
    entry.batch = null;
    entry.fetching = true;
    entry.refusedSince = false;
    const found = await findRuns(channelId);
    entry.fetching = false;
    if (found && found.length > 0) takeUp(entry, { runIds: [...found], open: 0, claimed: false });
    else if (found && entry.refusedSince) serve();
    else parked.delete(channelId);
  }

  function takeUp(entry: ParkedChannel, batch: Batch): void {
    entry.batch = batch;
    while (!stopped && batch.runIds.length > 0) {
      const release = slots.take(entry.channel);
      if (!release) return;
      void deliverOne(entry.channel, batch, release);
    }
  }

  async function deliverOne(
    { channelId, environmentId }: PlacedChannel,
    batch: Batch,
    release: ReleaseSlot,
  ): Promise<void> {
    batch.open += 1;
    await deliver({ runId: batch.runIds.shift() as string, environmentId }, release, () => {
      if (batch.claimed) return;
      batch.claimed = true;
      serve();
    });
    batch.open -= 1;
    if (!batch.claimed && batch.open === 0 && batch.runIds.length === 0) parked.delete(channelId);
  }

  function serve(): void {
    for (const entry of stopped ? [] : parked.values()) {
      if (entry.fetching || !slots.mayTake(entry.channel)) continue;
      const { batch } = entry;
      if (batch && batch.runIds.length > 0) takeUp(entry, batch);
      else if (!batch || batch.claimed) void fetchRuns(entry);
    }
  }

  return {
    park(channel) {
      if (stopped) return;
      const entry = parked.get(channel.channelId);
      if (entry) entry.refusedSince = true;
      else parked.set(channel.channelId, { channel, batch: null, fetching: false, refusedSince: false });
      // The last of the channel's slots may have been given back between the refusal and now.
      serve();
    },
    slotReleased: serve,
    parked: () => [...parked.keys()],
    stop() {
      stopped = true;
      parked.clear();
    },
  };
}
