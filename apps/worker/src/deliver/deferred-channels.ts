import { setMaxListeners } from 'node:events';
import type { RunChannel, RunToDeliver } from '@postrider/db';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { RenderPlace, Reservation, Reservations } from './reservations.ts';

/** Runs fetched from Postgres at a time for one channel. */
const BATCH = 64;

export interface DeferredChannelsDeps {
  readonly limiter: Pick<ConcurrencyLimiter, 'canAcquire'>;
  readonly reservations: Reservations;
  /** Finds the waiting due runs of a channel, oldest first. */
  readonly findDueRuns: (channelId: string, limit: number) => Promise<readonly RunToDeliver[]>;
  /**
   * Delivers a run and then releases its reservation. Calls `onClaimed` as soon as the run is claimed and cannot be
   * found again. Never rejects.
   */
  readonly deliver: (run: RunToDeliver, reservation: Reservation, onClaimed: () => void) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * The channels that have more due runs than slots or render places here: their runs start as those become free.
 */
export interface DeferredChannels {
  /** Starts the channel's due runs, now or as soon as slots and render places are free. */
  defer(channel: RunChannel): void;
  /** Stops starting the channel's due runs. */
  leave(channelId: string): void;
  /** Must be called when a slot was released. */
  slotReleased(): void;
  /** Ids of the deferred channels. */
  deferred(): readonly string[];
  /** Starts nothing more. */
  stop(): void;
}

/** Runs that were fetched together. */
interface Batch {
  /** Due runs that have not been started yet. */
  readonly runs: RunToDeliver[];
  /** Deliveries that have not ended. */
  open: number;
  claimed: boolean;
}

interface DeferredChannel {
  readonly channel: RunChannel;
  /** The last fetched batch; null before the first. */
  batch: Batch | null;
  fetching: boolean;
  /** Whether it waits for a render place. One at a time, so that channels take turns run by run. */
  waiting: boolean;
  /** Whether another job of the channel was refused since the last fetch began. The fetch may have missed its run. */
  refusedSince: boolean;
}

/**
 * A job that gets no slot or render place is removed from Redis, because a waiting job would take a place that other
 * channels need. Its run waits in Postgres, from where this process fetches runs in batches. If several processes find
 * the same run, the claim decides. If no run of a batch could be claimed, another process has them and the next fetch
 * would find the same ones, so the channel is left to the sweep.
 */
export function createDeferredChannels({
  limiter,
  reservations,
  findDueRuns,
  deliver,
  onError,
}: DeferredChannelsDeps): DeferredChannels {
  const deferred = new Map<string, DeferredChannel>();
  const stop = new AbortController();
  // Each channel that waits for a render place adds a listener.
  setMaxListeners(0, stop.signal);

  async function findRuns(channelId: string): Promise<readonly RunToDeliver[] | null> {
    try {
      return await findDueRuns(channelId, BATCH);
    } catch (error) {
      onError(error);
      return null;
    }
  }

  async function fetchRuns(entry: DeferredChannel): Promise<void> {
    const { channelId } = entry.channel;
    entry.batch = null;
    entry.fetching = true;
    entry.refusedSince = false;
    const found = await findRuns(channelId);
    entry.fetching = false;
    if (found && found.length > 0) startRuns(entry, { runs: [...found], open: 0, claimed: false });
    else if (found && entry.refusedSince) start();
    else deferred.delete(channelId);
  }

  /** Starts runs. `renderPlace` is for the first one. */
  function startRuns(entry: DeferredChannel, batch: Batch, renderPlace?: RenderPlace): void {
    entry.batch = batch;
    let place = renderPlace;
    for (let [run] = batch.runs; run && !stop.signal.aborted; [run] = batch.runs) {
      const reserved = reservations.tryAcquire(run, place);
      place = undefined;
      if (reserved.outcome === 'no_render_place') void waitForRenderPlace(entry, run);
      if (reserved.outcome !== 'reserved') return;
      batch.runs.shift();
      void deliverOne(batch, run, reserved.reservation);
    }
    place?.leave();
  }

  async function waitForRenderPlace(entry: DeferredChannel, run: RunToDeliver): Promise<void> {
    if (entry.waiting) return;
    entry.waiting = true;
    const place = await reservations.waitForRenderPlace(run, stop.signal);
    entry.waiting = false;
    if (!place) deferred.delete(entry.channel.channelId);
    else if (entry.batch && !entry.fetching) startRuns(entry, entry.batch, place);
    else place.leave();
  }

  async function deliverOne(batch: Batch, run: RunToDeliver, reservation: Reservation): Promise<void> {
    batch.open += 1;
    await deliver(run, reservation, () => {
      if (batch.claimed) return;
      batch.claimed = true;
      start();
    });
    batch.open -= 1;
    if (!batch.claimed && batch.open === 0 && batch.runs.length === 0) deferred.delete(run.channelId);
  }

  /** Starts runs of every deferred channel that can get a slot. */
  function start(): void {
    for (const entry of stop.signal.aborted ? [] : deferred.values()) {
      if (entry.fetching || entry.waiting || !limiter.canAcquire(entry.channel)) continue;
      const { batch } = entry;
      if (batch && batch.runs.length > 0) startRuns(entry, batch);
      else if (!batch || batch.claimed) void fetchRuns(entry);
    }
  }

  return {
    defer(channel) {
      if (stop.signal.aborted) return;
      const entry = deferred.get(channel.channelId);
      if (entry) entry.refusedSince = true;
      else {
        const { channelId, kind } = channel;
        const waits = { batch: null, fetching: false, waiting: false, refusedSince: false };
        deferred.set(channelId, { channel: { channelId, kind }, ...waits });
      }
      // The last of the channel's slots may have been released between the refusal and now.
      start();
    },
    leave: (channelId) => void deferred.delete(channelId),
    slotReleased: start,
    deferred: () => [...deferred.keys()],
    stop() {
      stop.abort();
      deferred.clear();
    },
  };
}
