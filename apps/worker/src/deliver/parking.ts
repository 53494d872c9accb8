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
  park(channelId: string): void;
  /** To be called whenever a slot was given back. */
  slotReleased(): void;
  /** Ids of the parked channels. */
  parked(): readonly string[];
  /** Takes up nothing more. */
  stop(): void;
}

interface ParkedChannel {
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
  const channels = new Map<string, ParkedChannel>();
  let stopped = false;

  async function fetchRuns(channelId: string, channel: ParkedChannel): Promise<void> {
    channel.fetching = true;
    channel.refusedSince = false;
    try {
      channel.runIds = [...(await findDueRuns(channelId, BATCH))];
    } catch (error) {
      onError(error);
    }
    channel.fetching = false;
    if (channel.runIds.length > 0) takeUp(channelId, channel);
    else if (channel.refusedSince) serve();
    else channels.delete(channelId);
  }

  function takeUp(channelId: string, channel: ParkedChannel): void {
    while (!stopped && channel.runIds.length > 0) {
      const release = slots.take(channelId);
      if (!release) return;
      void deliver(channel.runIds.shift() as string, release);
    }
  }

  function serve(): void {
    for (const [channelId, channel] of stopped ? [] : channels) {
      if (channel.fetching || !slots.mayTake(channelId)) continue;
      if (channel.runIds.length > 0) takeUp(channelId, channel);
      else void fetchRuns(channelId, channel);
    }
  }

  return {
    park(channelId) {
      if (stopped) return;
      const channel = channels.get(channelId);
      if (channel) channel.refusedSince = true;
      else channels.set(channelId, { runIds: [], fetching: false, refusedSince: false });
      // The last of the channel's slots may have been given back between the refusal and now.
      serve();
    },
    slotReleased: serve,
    parked: () => [...channels.keys()],
    stop() {
      stopped = true;
      channels.clear();
    },
  };
}
