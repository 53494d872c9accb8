import { setMaxListeners } from 'node:events';
import type { RunChannel, RunToDeliver } from '@postrider/db';
import type { RenderPlace } from './render-places.ts';
import type { Reservation, Reservations } from './reservations.ts';
import type { Slots } from './slots.ts';

/** Runs fetched from Postgres at a time for one channel. */
const BATCH = 64;

export interface ParkingDeps {
  readonly slots: Pick<Slots, 'mayTake'>;
  readonly reservations: Reservations;
  /** The due runs of a channel that wait, oldest first. */
  readonly findDueRuns: (channelId: string, limit: number) => Promise<readonly RunToDeliver[]>;
  /**
   * Delivers a run with what was reserved for it, and gives that back. Tells, before that, when the claim has
   * won the run, which is then found no more. Never rejects.
   */
  readonly deliver: (run: RunToDeliver, reservation: Reservation, onClaimed: () => void) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * The channels that have more due runs than slots or render places here: their runs are taken up as those
 * become free.
 */
export interface Parking {
  /** Takes up the channel's due runs, now or when they may have what they need. */
  park(channel: RunChannel): void;
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
  readonly runs: RunToDeliver[];
  /** Deliveries that have not come to their end. */
  open: number;
  claimed: boolean;
}

interface ParkedChannel {
  readonly channel: RunChannel;
  /** The last that was fetched; null until the first is there. */
  batch: Batch | null;
  fetching: boolean;
  /** Whether it waits for a render place. One at a time, so that channels take turns run by run. */
  waiting: boolean;
  /**
   * Whether another job of the channel was refused since the last fetch began: what it is for may not have
   * been found.
   */
  refusedSince: boolean;
}

/**
 * A job that is refused a slot or a render place is gone from Redis: waiting there, it would hold one of the
 * places that other channels need. The run waits in Postgres, where the process finds it again, a batch at a time. The claim
 * decides between processes that find the same one. A batch of which no run could be claimed, because
 * somebody else holds them, would be found again at once and for as long: its channel is left to the sweeper.
 */
export function createParking({ slots, reservations, findDueRuns, deliver, onError }: ParkingDeps): Parking {
  /** By their channels' ids. */
  const parked = new Map<string, ParkedChannel>();
  const stop = new AbortController();
  // As many channels as wait for a render place listen to it.
  setMaxListeners(0, stop.signal);

  async function findRuns(channelId: string): Promise<readonly RunToDeliver[] | null> {
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
    if (found && found.length > 0) takeUp(entry, { runs: [...found], open: 0, claimed: false });
    else if (found && entry.refusedSince) serve();
    else parked.delete(channelId);
  }

  /** `renderPlace` is for the first of the runs. */
  function takeUp(entry: ParkedChannel, batch: Batch, renderPlace?: RenderPlace): void {
    entry.batch = batch;
    let place = renderPlace;
    for (let [run] = batch.runs; run && !stop.signal.aborted; [run] = batch.runs) {
      const reserved = reservations.take(run, place);
      place = undefined;
      if (reserved.outcome === 'no_render_place') void waitForRenderPlace(entry, run);
      if (reserved.outcome !== 'reserved') return;
      batch.runs.shift();
      void deliverOne(batch, run, reserved.reservation);
    }
    place?.leave();
  }

  async function waitForRenderPlace(entry: ParkedChannel, run: RunToDeliver): Promise<void> {
    if (entry.waiting) return;
    entry.waiting = true;
    const place = await reservations.waitForRenderPlace(run, stop.signal);
    entry.waiting = false;
    if (!place) parked.delete(entry.channel.channelId);
    else if (entry.batch && !entry.fetching) takeUp(entry, entry.batch, place);
    else place.leave();
  }

  async function deliverOne(batch: Batch, run: RunToDeliver, reservation: Reservation): Promise<void> {
    batch.open += 1;
    await deliver(run, reservation, () => {
      if (batch.claimed) return;
      batch.claimed = true;
      serve();
    });
    batch.open -= 1;
    if (!batch.claimed && batch.open === 0 && batch.runs.length === 0) parked.delete(run.channelId);
  }

  function serve(): void {
    for (const entry of stop.signal.aborted ? [] : parked.values()) {
      if (entry.fetching || entry.waiting || !slots.mayTake(entry.channel)) continue;
      const { batch } = entry;
      if (batch && batch.runs.length > 0) takeUp(entry, batch);
      else if (!batch || batch.claimed) void fetchRuns(entry);
    }
  }

  return {
    park(channel) {
      if (stop.signal.aborted) return;
      const entry = parked.get(channel.channelId);
      if (entry) entry.refusedSince = true;
      else {
        const { channelId, kind } = channel;
        const waits = { batch: null, fetching: false, waiting: false, refusedSince: false };
        parked.set(channelId, { channel: { channelId, kind }, ...waits });
      }
      // The last of the channel's slots may have been given back between the refusal and now.
      serve();
    },
    slotReleased: serve,
    parked: () => [...parked.keys()],
    stop() {
      stop.abort();
      parked.clear();
    },
  };
}
