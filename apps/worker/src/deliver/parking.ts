import type { RunChannel } from '@postrider/db';
import type { ReleaseSlot, Slots } from './slots.ts';

/** Runs fetched from Postgres at a time for one channel. */
const BATCH = 64;

export interface ParkingDeps {
  readonly slots: Slots;
  /** The due runs of a channel that wait, oldest first. */
  readonly findDueRuns: (channelId: string, limit: number) => Promise<readonly string[]>;
  /** Delivers a run in a slot that was taken for it, and gives the slot back. Never rejects. */
  readonly deliver: (runId: string, release: ReleaseSlot) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The channels that have more due runs than slots here: their runs are taken up as slots become free. */
export interface Parking {
  /** Takes up the channel's due runs, now or when it may have slots. */
  park(channel: RunChannel): void;
  /** To be called whenever a slot was given back. */
  slotReleased(): void;
  /** Ids of the parked channels. */
  parked(): readonly string[];
  /** Takes up nothing more. */
  stop(): void;
}

interface ParkedChannel {
  readonly channel: RunChannel;
  /** Found to be due and not yet taken up. */
  runIds: string[];
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
 * decides between processes that find the same one.
 */
export function createParking({ slots, findDueRuns, deliver, onError }: ParkingDeps): Parking {
  /** By their channels' ids. */
  const parked = new Map<string, ParkedChannel>();
  let stopped = false;

  async function fetchRuns(entry: ParkedChannel): Promise<void> {
    const { channelId } = entry.channel;
    entry.fetching = true;
    entry.refusedSince = false;
    try {
      entry.runIds = [...(await findDueRuns(channelId, BATCH))];
    } catch (error) {
      onError(error);
    }
    entry.fetching = false;
    if (entry.runIds.length > 0) takeUp(entry);
    else if (entry.refusedSince) serve();
    else parked.delete(channelId);
  }

  function takeUp({ channel, runIds }: ParkedChannel): void {
    while (!stopped && runIds.length > 0) {
      const release = slots.take(channel);
      if (!release) return;
      void deliver(runIds.shift() as string, release);
    }
  }

  function serve(): void {
    for (const entry of stopped ? [] : parked.values()) {
      if (entry.fetching || !slots.mayTake(entry.channel)) continue;
      if (entry.runIds.length > 0) takeUp(entry);
      else void fetchRuns(entry);
    }
  }

  return {
    park(channel) {
      if (stopped) return;
      const entry = parked.get(channel.channelId);
      if (entry) entry.refusedSince = true;
      else parked.set(channel.channelId, { channel, runIds: [], fetching: false, refusedSince: false });
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
