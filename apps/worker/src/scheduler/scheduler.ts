import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelClaim, ChannelFacts, ClaimedRun, LimitedClaim } from '@postrider/db';
import { type IdSource, LRUCache } from '@postrider/domain';
import { type Bound, type Claims, createBound } from './claim-batching.ts';
import {
  type AcquirePermits,
  holderOf,
  type Permits,
  type RunPermits,
  releasePermits,
  type Slots,
} from './permits.ts';

/** The most runs of one claim of a channel. */
const MOST = 24;
/** How many more runs are read after a claim that found runs which may not be sent. */
const AHEAD = 128;
/** The most channels that are remembered. */
const MAX_REMEMBERED = 10_000;
/**
 * The shortest and the longest pause for a rate, in milliseconds. Each claim takes all runs that it has allowed since. A channel
 * whose rate needs longer is left to the poll, which knows when it allows the next run.
 */
const RATE_PAUSE = { least: 20, most: 2_000 } as const;
/** The first pause after another process was faster, in milliseconds; it doubles. */
const MISSED_PAUSE_MS = 50;
/** How often other processes may be faster before the channel is left to them. */
const MAX_MISSES = 4;

interface SchedulerDeps {
  readonly slots: Pick<Slots, 'canAcquire'>;
  readonly acquire: AcquirePermits;
  /** The facts of a channel; null if there is none. */
  readonly factsOf: (channelId: string) => Promise<ChannelFacts | null>;
  readonly claims: Pick<Claims, 'claim' | 'claimWithin' | 'refuse'>;
  /**
   * Delivers a claimed run. Releases its render permit after rendering, and its slot at the end. Resolves when the delivery has
   * ended; never rejects.
   */
  readonly deliver: (run: ClaimedRun, permits: RunPermits) => Promise<void>;
  /** Tells another worker that the channel has work. Its job can also come back to this one. See `Scheduler.wake` for `dueMs`. */
  readonly wakeAnother: (channel: ChannelFacts, dueMs: number | null) => void;
  readonly newId: IdSource;
  readonly onError: (error: unknown) => void;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

export interface Scheduler {
  /**
   * Says that a channel has work: its next due runs are claimed as soon as slots, render permits and limits allow it. Call it
   * after the runs are committed.
   * @param dueMs see `WakeUp`; null if it is left out
   */
  wake(channelId: string, dueMs: number | null): void;
  /** Ids of the channels with work here. */
  active(): string[];
  /** Starts nothing more. Resolves when the claims that are under way have started their runs. */
  stop(): Promise<void>;
}

/** What is remembered of a channel from its last claims. */
interface Memory {
  readonly bound: Bound;
  hasLimits: boolean;
  /** Whether the most allowed runs are in flight, so that the end of one makes room. */
  waitsForEnd: boolean;
  /** Whether its last runs had templates: its next claim then waits for render permits. */
  needsRender: boolean;
  /** How many runs its last claim found, with at most one that it left. */
  found: number;
  /** How many more runs the next claim reads. */
  ahead: number;
}

/** A channel with work. */
interface Work {
  /** Whether it was woken since its last claim began. */
  isWokenAgain: boolean;
  /** Whether the last pause ended at the time that the rate had named. */
  wasOnTime: boolean;
  /** Claims in a row that got nothing because another process was faster. */
  misses: number;
}

/**
 * Decides when the runs of each channel are claimed. A channel is in one of these states:
 *
 * - *idle*: nothing is stored, except what is remembered of its last claims. Ten thousand such channels cost nothing.
 * - *waiting*: it is in the line for a slot and, with templates, a render permit. Tenants take turns, and so do their channels.
 * - *claiming*: its next due runs are being claimed, as many as it got permits for. A wake-up that arrives now is followed by
 *   another claim, because the one that runs may not see the new run.
 * - *resting*: its rate allows nothing for a while, or another process claims its runs. A wake-up does not shorten this.
 *
 * After a claim that found or started as many runs as it asked for, the channel waits again; otherwise it is idle. If it then
 * gets no slot, another worker is told. A claim that found only runs that others have locked is not repeated: those others
 * have them.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { slots, acquire, factsOf, claims, newId, onError, jitter, monotonicMs } = deps;
  const working = new Map<string, Work>();
  const openClaims = new Set<Promise<unknown>>();
  const memories = new LRUCache<string, Memory>({ max: MAX_REMEMBERED });
  const stop = new AbortController();
  const { signal } = stop;
  // Each channel that waits adds a listener.
  setMaxListeners(0, signal);

  function memoryOf(channelId: string): Memory {
    const known = memories.get(channelId);
    if (known) return known;
    const memory = {
      bound: createBound(),
      hasLimits: false,
      waitsForEnd: false,
      needsRender: false,
      found: 0,
      ahead: 0,
    };
    memories.set(channelId, memory);
    return memory;
  }

  function begin(channelId: string): void {
    if (signal.aborted) return;
    const work = working.get(channelId);
    if (work) work.isWokenAgain = true;
    else {
      const begun = { isWokenAgain: false, wasOnTime: false, misses: 0 };
      working.set(channelId, begun);
      void workOn(channelId, begun);
    }
  }

  async function workOn(channelId: string, work: Work): Promise<void> {
    let channel: ChannelFacts | null = null;
    try {
      channel = await factsOf(channelId);
      let again = true;
      while (channel && again) again = (await claimAndStart(channel, work)) || work.isWokenAgain;
    } catch (error) {
      if (!signal.aborted) onError(error);
      // The runs of a claim whose reply is lost are released with their leases, and are then due before the bound.
      memories.delete(channelId);
    } finally {
      working.delete(channelId);
      if (channel && signal.aborted) deps.wakeAnother(channel, null);
    }
  }

  /** Claims the channel's next runs and starts them. Returns whether to do it again. */
  async function claimAndStart(channel: ChannelFacts, work: Work): Promise<boolean> {
    const { channelId } = channel;
    const memory = memoryOf(channelId);
    const isSparse = memory.found < 2 && !memory.hasLimits;
    const most = isSparse ? 1 : Math.min(MOST, 2 * memory.found + 2);
    const permits = await acquire(holderOf(channel), { most, needsRender: memory.needsRender }, signal);
    work.isWokenAgain = false;
    // Too many channels wait: a poll finds this one again.
    if (!permits) return false;
    const asked = permits.slots.length;
    // A second run is read instead of asking for a slot that most such channels would not use while their claim waits.
    const ahead = Math.max(memory.ahead, isSparse ? 1 : 0);
    const claiming = claimWith(channel, permits, { memory, ahead });
    openClaims.add(claiming);
    const claim = await claiming.finally(() => openClaims.delete(claiming));
    return followUp(channel, claim, { memory, work, asked });
  }

  /** Claims within the permits and starts the runs. Releases all other permits, also if it rejects. */
  async function claimWith(
    channel: ChannelFacts,
    permits: Permits,
    { memory, ahead }: { readonly memory: Memory; readonly ahead: number },
  ): Promise<LimitedClaim> {
    const askedAt = monotonicMs();
    const since = memory.bound.since(askedAt);
    const ask = {
      ...channel,
      slots: permits.slots.length,
      renders: permits.renders.length,
      attemptIds: permits.slots.map(newId),
      since: since === null ? null : new Date(since),
      ahead,
    };
    try {
      const claim = await (memory.hasLimits ? claims.claimWithin(ask) : claims.claim(ask));
      if (claim !== null && claim !== 'missed') {
        start(channel, claim, { memory, permits, askedAt });
        remember(memory, claim, { since, tookMs: monotonicMs() - askedAt });
      }
      return claim;
    } finally {
      releasePermits(permits);
    }
  }

  function start(
    { channelId }: ChannelFacts,
    { runs }: ChannelClaim,
    { memory, permits, askedAt }: { memory: Memory; permits: Permits; askedAt: number },
  ): void {
    for (const run of runs) {
      const slot = permits.slots.shift();
      if (!slot) throw new Error('a claim returned more runs than it was asked for');
      const render = run.needsRender ? permits.renders.shift() : undefined;
      const ended = deps.deliver(run, { slot, render, askedAt });
      // A claim that is under way may have counted this run as one in flight.
      const makesRoom = () => memory.waitsForEnd || (memory.hasLimits && working.has(channelId));
      void ended.then(() => makesRoom() && begin(channelId));
    }
  }

  function remember(
    memory: Memory,
    claim: ChannelClaim,
    { since, tookMs }: { readonly since: number | null; readonly tookMs: number },
  ): void {
    const { runs, refused, isFull, lastDue, now, waitsForRender } = claim;
    memory.found = Math.min(claim.read, runs.length + 1);
    memory.ahead = refused.length > 0 ? AHEAD : 0;
    if (runs.length > 0 || waitsForRender) {
      memory.needsRender = waitsForRender || runs.some(({ needsRender }) => needsRender);
    }
    memory.bound.searched({
      since,
      tookAll: claim.read === runs.length && !claim.hasLimits,
      until: (isFull && lastDue ? lastDue : now).getTime(),
      atMs: monotonicMs(),
      tookMs,
    });
  }

  /**
   * Decides after a claim whether the next one follows. A claim gives nothing if another process is claiming the runs (`missed`), the
   * channel is unknown or cannot be decided now (null), its limits allow none (`limitedBy`), or none is due.
   */
  async function followUp(
    channel: ChannelFacts,
    claim: LimitedClaim,
    { memory, work, asked }: { readonly memory: Memory; readonly work: Work; readonly asked: number },
  ): Promise<boolean> {
    memory.waitsForEnd = false;
    if (claim === 'missed') return rest(work, { isMiss: true, inMs: 0 });
    // The channel got limits, or lost them: the next claim is of the other kind, see `claimWith`.
    if (claim && claim.hasLimits !== memory.hasLimits) {
      memory.hasLimits = claim.hasLimits;
      return true;
    }
    memory.waitsForEnd = claim?.limitedBy?.limit === 'in_flight';
    const refused = claim && claim.refused.length > 0 ? await claims.refuse(channel, claim.refused) : 0;
    if (claim?.limitedBy?.limit === 'in_flight') return false;
    if (claim?.limitedBy)
      return rest(work, { isMiss: work.wasOnTime && claim.counted === 0, inMs: claim.limitedBy.inMs });
    work.misses = 0;
    if (!claim) return false;
    const started = claim.runs.length;
    // Tests are read as far as there are slots, so more of them may be due if they took all.
    const onlyTests = started === asked && claim.counted === 0;
    const mayBeMore = started > 0 && (claim.isFull || claim.read > started || onlyTests);
    const hasMoreWork = mayBeMore || claim.waitsForRender || refused > 0;
    if (hasMoreWork && !slots.canAcquire(holderOf(channel))) {
      deps.wakeAnother(channel, memory.bound.since(monotonicMs()));
    }
    return hasMoreWork;
  }

  /** Waits until the rate may allow more. Returns false if a wake-up or a poll will say so. */
  async function rest(
    work: Work,
    { isMiss, inMs }: { readonly isMiss: boolean; readonly inMs: number },
  ): Promise<boolean> {
    work.misses = isMiss ? work.misses + 1 : 0;
    if (work.misses > MAX_MISSES) return false;
    const missedMs = isMiss ? jitter() * MISSED_PAUSE_MS * 2 ** work.misses : 0;
    const pauseMs = Math.max(RATE_PAUSE.least, inMs) + missedMs;
    work.wasOnTime = pauseMs <= RATE_PAUSE.most;
    await sleep(Math.min(pauseMs, RATE_PAUSE.most), undefined, { signal });
    return work.wasOnTime;
  }

  return {
    wake(channelId, dueMs) {
      memories.get(channelId)?.bound.moveBack(dueMs);
      begin(channelId);
    },
    active: () => [...working.keys()],
    async stop() {
      stop.abort();
      while (openClaims.size > 0) await Promise.allSettled(openClaims);
    },
  };
}
