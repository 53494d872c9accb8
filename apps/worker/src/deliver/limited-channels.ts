import { setMaxListeners } from 'node:events';
import type { ClaimOutcome, ClaimWithinLimits, LimitedClaim, RunChannel, RunToDeliver } from '@postrider/db';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { RenderPlace, Reservation, Reservations } from './reservations.ts';

/** The pause before the next claim of a channel that another process had locked. */
const BUSY_MS = 25;
/** The shortest pause between two claims of a channel. Each claim takes all runs that the rate has allowed since. */
const MIN_WAIT_MS = 20;
/** The longest pause, because the limits may have changed meanwhile. */
const MAX_WAIT_MS = 2_000;
/**
 * How often other processes may be faster before the channel is left to them. If they leave it too, a sweep finds it.
 */
const MAX_MISSES = 4;
/** The first additional pause after another process was faster; it doubles. */
const MISSED_WAIT_MS = 50;

/** A channel whose runs are claimed within limits. Ids are UUIDs. */
interface ChannelWithLimits extends RunChannel {
  readonly environmentId: string;
}

interface LimitedChannelsDeps {
  readonly limiter: Pick<ConcurrencyLimiter, 'canAcquire'>;
  readonly reservations: Reservations;
  readonly claimWithin: (asked: ClaimWithinLimits) => Promise<LimitedClaim>;
  /**
   * Delivers the run if `claiming` resolves to a claimed one, and releases the reservation in any case. Resolves when
   * the delivery has ended; never rejects.
   */
  readonly deliver: (
    reservation: Reservation,
    claiming: Promise<ClaimOutcome>,
    askedAt: number,
  ) => Promise<void>;
  /** Called with a channel whose limits were removed. */
  readonly onUnlimited: (channel: RunChannel) => void;
  readonly onError: (error: unknown) => void;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** The limited channels whose runs this process claims as soon as their limits and its slots allow it. */
export interface LimitedChannels {
  /** Claims due runs of the channel, now or as soon as possible. */
  defer(channel: ChannelWithLimits): void;
  /** Must be called when a slot was released. */
  slotReleased(): void;
  /** Starts nothing more. */
  stop(): void;
}

interface Entry {
  readonly channel: ChannelWithLimits;
  /**
   * A claim is in progress, or the channel waits: for its next time, or for a slot or a render place of this process.
   */
  state: 'claiming' | 'time' | 'slot' | 'render_place';
  /** Whether the channel was deferred again during the current claim. */
  isDeferredAgain: boolean;
  timer: NodeJS.Timeout | undefined;
  /** Whether the last claim was made when the rate allowed a run. */
  wasOnTime: boolean;
  /** Claims in a row that got nothing because another process was faster. */
  misses: number;
  searchesAhead: boolean;
}

type Rest = LimitedClaim | { readonly rest: 'no_render_place'; readonly run: RunToDeliver };

/**
 * A run of a limited channel waits in Postgres without a slot, a lease or a job. The process claims the oldest run when
 * the limits allow it. Several processes may try, and the database decides between them. One that is repeatedly too
 * late leaves the channel to the others, so that usually one process claims the runs of a long backlog. A sweep finds
 * channels that all processes have left.
 */
export function createLimitedChannels({
  limiter,
  reservations,
  claimWithin,
  deliver,
  onUnlimited,
  onError,
  jitter,
  monotonicMs,
}: LimitedChannelsDeps): LimitedChannels {
  const entries = new Map<string, Entry>();
  const stop = new AbortController();
  // Each channel that waits for a render place adds a listener.
  setMaxListeners(0, stop.signal);

  const drop = ({ channel, timer }: Entry) => {
    clearTimeout(timer);
    entries.delete(channel.channelId);
  };

  function wake(channel: ChannelWithLimits): void {
    if (stop.signal.aborted) return;
    const found = entries.get(channel.channelId);
    if (found) {
      found.isDeferredAgain = true;
      return;
    }
    const { channelId, kind, environmentId } = channel;
    const entry: Entry = {
      channel: { channelId, kind, environmentId },
      ...{ state: 'claiming', isDeferredAgain: false, timer: undefined },
      ...{ wasOnTime: false, misses: 0, searchesAhead: false },
    };
    entries.set(channelId, entry);
    void work(entry);
  }

  /** Makes one claim and starts delivering its runs. `renderPlace` is for the first of them. */
  async function claim(entry: Entry, renderPlace: RenderPlace | undefined): Promise<Rest> {
    const { channel } = entry;
    let askedAt = monotonicMs();
    const reserved = new Map<
      string,
      { readonly settle: (outcome: ClaimOutcome) => void; readonly ended: Promise<void> }
    >();
    let place = renderPlace;
    let unrendered: RunToDeliver | undefined;

    function reserve(run: RunToDeliver): boolean {
      // Stopping waits for existing reservations.
      if (stop.signal.aborted) return false;
      const acquired = reservations.tryAcquire(run, place);
      if (acquired.outcome !== 'reserved') {
        if (acquired.outcome === 'no_render_place') unrendered = run;
        return false;
      }
      place = undefined;
      let settle: (outcome: ClaimOutcome) => void = () => undefined;
      const claiming = new Promise<ClaimOutcome>((resolve) => {
        settle = resolve;
      });
      reserved.set(run.runId, { settle, ended: deliver(acquired.reservation, claiming, askedAt) });
      return true;
    }

    let claimed: LimitedClaim | undefined;
    try {
      claimed = await claimWithin({
        ...channel,
        reserve,
        searchesAhead: entry.searchesAhead,
        onBegin() {
          askedAt = monotonicMs();
        },
      });
      entry.searchesAhead = claimed.hasRemoved;
      return claimed.rest === 'no_room' && unrendered
        ? { rest: 'no_render_place', run: unrendered }
        : claimed;
    } finally {
      place?.leave();
      for (const [runId, { settle, ended }] of reserved) {
        const outcome = claimed?.outcomes.get(runId) ?? { outcome: 'not_claimable', status: null };
        settle(outcome);
        if (outcome.outcome !== 'claimed') continue;
        entry.misses = 0;
        entry.wasOnTime = false;
        if (claimed?.countsInFlight) void ended.then(() => wake(channel));
      }
    }
  }

  async function work(entry: Entry, renderPlace?: RenderPlace): Promise<void> {
    clearTimeout(entry.timer);
    entry.state = 'claiming';
    let place = renderPlace;
    let rest: Rest;
    try {
      do {
        entry.isDeferredAgain = false;
        rest = await claim(entry, place);
        place = undefined;
      } while (!stop.signal.aborted && (rest.rest === 'more' || (entry.isDeferredAgain && isOver(rest))));
    } catch (error) {
      onError(error);
      drop(entry);
      return;
    }
    if (stop.signal.aborted) drop(entry);
    else settle(entry, rest);
  }

  /** Whether the claim found nothing more to do. */
  const isOver = ({ rest }: Rest) => rest === 'none' || rest === 'full';

  function settle(entry: Entry, rest: Rest): void {
    switch (rest.rest) {
      case 'busy':
        waitFor(entry, BUSY_MS, true);
        break;
      case 'later':
        waitFor(entry, rest.inMs, entry.wasOnTime);
        break;
      case 'no_room':
        entry.state = 'slot';
        // The last of the channel's slots may have been released between the refusal and now.
        slotReleased();
        break;
      case 'no_render_place':
        void waitForRenderPlace(entry, rest.run);
        break;
      case 'unlimited':
        drop(entry);
        onUnlimited(entry.channel);
        break;
      default:
        drop(entry);
    }
  }

  function waitFor(entry: Entry, inMs: number, isMiss: boolean): void {
    if (isMiss) entry.misses += 1;
    if (entry.misses > MAX_MISSES) {
      drop(entry);
      return;
    }
    const missedMs = entry.misses === 0 ? 0 : jitter() * MISSED_WAIT_MS * 2 ** entry.misses;
    const waitMs = Math.max(MIN_WAIT_MS, inMs) + missedMs;
    entry.wasOnTime = waitMs <= MAX_WAIT_MS;
    entry.state = 'time';
    entry.timer = setTimeout(() => void work(entry), Math.min(waitMs, MAX_WAIT_MS));
  }

  async function waitForRenderPlace(entry: Entry, run: RunToDeliver): Promise<void> {
    entry.state = 'render_place';
    const place = await reservations.waitForRenderPlace(run, stop.signal);
    if (place) void work(entry, place);
    else drop(entry);
  }

  function slotReleased(): void {
    for (const entry of stop.signal.aborted ? [] : entries.values()) {
      if (entry.state === 'slot' && limiter.canAcquire(entry.channel)) void work(entry);
    }
  }

  return {
    defer: wake,
    slotReleased,
    stop() {
      stop.abort();
      for (const entry of entries.values()) drop(entry);
    },
  };
}
