import { setMaxListeners } from 'node:events';
import type { ClaimOutcome, ClaimWithinLimits, LimitedClaim, RunChannel, RunToDeliver } from '@postrider/db';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { RenderPlace, Reservation, Reservations } from './reservations.ts';

/** How soon a channel is looked at again that another process had. */
const BUSY_MS = 25;
/** Claims of a fast channel come no closer together than this: each takes what the rate has allowed since. */
const LEAST_WAIT_MS = 20;
/** A longer wait is looked at again after this: the limits may have changed. */
const LONGEST_WAIT_MS = 2_000;
/** How often others may come first before the channel is left to them; a sweep finds it if they leave it, too. */
const MAX_MISSES = 4;
/** The first additional wait after others came first; it doubles. */
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
   * Delivers the run if `claiming` resolves to a claimed one, and gives the reservation back in any case. Returns what settles,
   * and never rejects, when its delivery has ended.
   */
  readonly deliver: (
    reservation: Reservation,
    claiming: Promise<ClaimOutcome>,
    askedAt: number,
  ) => Promise<void>;
  /** Called with a channel that has no limits any more. */
  readonly onUnlimited: (channel: RunChannel) => void;
  readonly onError: (error: unknown) => void;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
}

/** The channels with limits whose runs this process claims: each as soon as its limits, and the slots here, allow it. */
export interface LimitedChannels {
  /** Claims due runs of the channel, now or as soon as it can. */
  defer(channel: ChannelWithLimits): void;
  /** To be called whenever a slot was released. */
  slotReleased(): void;
  /** Starts nothing more. */
  stop(): void;
}

interface Entry {
  readonly channel: ChannelWithLimits;
  /** A claim is under way, or it waits: for its time, or for a slot or a render place of this process. */
  state: 'claiming' | 'time' | 'slot' | 'render_place';
  /** Whether something has changed since the claim that is under way began. */
  isAsked: boolean;
  timer: NodeJS.Timeout | undefined;
  /** Whether the last claim came at the time at which the rate allowed a run. */
  wasOnTime: boolean;
  /** Claims in a row for which another process left nothing. */
  misses: number;
  looksAhead: boolean;
}

type Rest = LimitedClaim | { readonly rest: 'no_render_place'; readonly run: RunToDeliver };

/**
 * A run of a channel with limits waits in Postgres without a slot, a lease or a job: the process claims the oldest at the time
 * at which the limits allow it. Several processes may do so at once, and the database decides between them; one that keeps
 * coming too late leaves the channel to the others, so that a channel with a long backlog mostly has one process that claims.
 * What is left by all of them a sweep finds.
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
      found.isAsked = true;
      return;
    }
    const { channelId, kind, environmentId } = channel;
    const entry: Entry = {
      channel: { channelId, kind, environmentId },
      ...{ state: 'claiming', isAsked: false, timer: undefined },
      ...{ wasOnTime: false, misses: 0, looksAhead: false },
    };
    entries.set(channelId, entry);
    void work(entry);
  }

  /** One claim, whose runs are then being delivered. A render place that was waited for is for the first of them. */
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
      // Whoever stops waits for what was reserved before.
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
        looksAhead: entry.looksAhead,
        onBegin() {
          askedAt = monotonicMs();
        },
      });
      entry.looksAhead = claimed.hasRemoved;
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
        entry.isAsked = false;
        rest = await claim(entry, place);
        place = undefined;
      } while (!stop.signal.aborted && (rest.rest === 'more' || (entry.isAsked && isOver(rest))));
    } catch (error) {
      onError(error);
      drop(entry);
      return;
    }
    if (stop.signal.aborted) drop(entry);
    else settle(entry, rest);
  }

  /** Whether nothing more is to be done, as far as the claim has seen. */
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
    const waitMs = Math.max(LEAST_WAIT_MS, inMs) + missedMs;
    entry.wasOnTime = waitMs <= LONGEST_WAIT_MS;
    entry.state = 'time';
    entry.timer = setTimeout(() => void work(entry), Math.min(waitMs, LONGEST_WAIT_MS));
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
