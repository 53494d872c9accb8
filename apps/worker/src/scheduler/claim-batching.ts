import {
  askForRun,
  type ChannelClaim,
  type ChannelFacts,
  type ClaimAsk,
  type ClaimRules,
  claimRuns,
  claimWithinLimits,
  createBatcher,
  type Database,
  type EndedAttempt,
  findChannels,
  isDatabaseUnreachable,
  type LimitedClaim,
  type Linger,
  type ObserveBatch,
  refuseRuns,
  type UnboundDatabase,
  withShare,
} from '@postrider/db';
import { type ChannelKind, type IdSource, type KindFacts, LRUCache } from '@postrider/domain';
import { createFairSemaphore, type Permit } from '@postrider/fairness';
import { holderOf, type SlotsPerKind } from './permits.ts';

type ChannelAsk = ChannelFacts & ClaimAsk;

/** A run, and the attempt that its claim opens. Ids are UUIDs. */
export interface RunToTry {
  readonly runId: string;
  readonly attemptId: string;
}

/** The claims of a worker. */
export interface Claims {
  /** Claims the next due runs of a channel without limits; null if the channel is unknown or cannot be decided now. */
  claim(ask: ChannelAsk): Promise<ChannelClaim | null>;
  /** Claims those of a channel with limits. */
  claimWithin(ask: ChannelAsk): Promise<LimitedClaim>;
  /** Claims one due run, also in quarantine, within the limits of its channel. */
  claimRun(channel: ChannelFacts, run: RunToTry): Promise<ChannelClaim | null>;
  /** Holds or ends runs that may not be sent. Returns how many; never rejects. */
  refuse(channel: ChannelFacts, runIds: readonly string[]): Promise<number>;
}

interface ClaimsDeps {
  readonly db: Database;
  readonly kinds: readonly KindFacts[];
  /** See `createServiceKeys`. Null while the key cannot be decrypted. */
  readonly addressHashKey: () => Promise<Uint8Array | null>;
  readonly newId: IdSource;
  readonly linger: Linger<ChannelAsk>;
  readonly onBatch: ObserveBatch;
  /** Called with the error if runs that may not be sent could be neither held nor ended. A poll finds them again. */
  readonly onNotRefused: (error: unknown) => void;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** Channels per statement. */
const MAX_CHANNELS = 64;
const STATEMENTS_AT_ONCE = 2;
/** A statement that takes longer, in milliseconds, may have done so because of the complete search of one of its channels. */
const SLOW_MS = 100;
/**
 * Channels whose statements are not shared and run at once: claims of channels with limits, each of which is a transaction, complete
 * searches that may be slow, and refusals. Fewer than deliveries have connections, so that those of one tenant leave one to others.
 * Each channel waits once at most.
 */
const OWN_STATEMENTS = { total: 4, perOwner: 4, maxWaiting: 2_000, maxWaitingPerOwner: 500 };

/**
 * Creates the claims. Those of channels without limits share statements; the others, and refusals, take turns by tenant and
 * channel. A complete search also reads the entries of runs that were claimed long ago, which an old transaction keeps in the index.
 * So the channels whose complete search was in a slow statement search alone the next time, unless too many do: if all of PostgreSQL
 * is slow, they share.
 */
export function createClaims({ db, kinds, newId, onNotRefused, monotonicMs, ...deps }: ClaimsDeps): Claims {
  const ownStatements = createFairSemaphore(OWN_STATEMENTS);
  const suspects = new LRUCache<string, true>({ max: CACHED_CHANNELS.max });
  async function inTurn<Result>(channel: ChannelFacts, work: () => Promise<Result>): Promise<Result> {
    const permit = await ownStatements.acquire(holderOf(channel));
    if (!permit) throw new Error('too many channels wait for statements of their own');
    try {
      return await work();
    } finally {
      permit.release();
    }
  }
  /** The rules of channels of these kinds. */
  async function rulesOf(channels: readonly { readonly kind: ChannelKind }[]): Promise<ClaimRules> {
    const ofChannels = kinds.filter(({ kind }) => channels.some((channel) => channel.kind === kind));
    const haveAddresses = ofChannels.some(({ suppressibleField }) => suppressibleField !== undefined);
    return { kinds: ofChannels, addressHashKey: haveAddresses ? await deps.addressHashKey() : null };
  }
  async function runBatch(asks: readonly ChannelAsk[]) {
    const rules = await rulesOf(asks);
    const beganAt = monotonicMs();
    try {
      return await claimRuns(db, asks, rules);
    } finally {
      // A cancelled statement counts as slow, too.
      const isSlow = monotonicMs() - beganAt > SLOW_MS;
      for (const { channelId, since } of asks) {
        if (since !== null) continue;
        if (isSlow) suspects.set(channelId, true);
        else suspects.delete(channelId);
      }
    }
  }
  const claim = createBatcher<ChannelAsk, ChannelClaim | null>(runBatch, {
    maxItems: MAX_CHANNELS,
    maxInFlight: STATEMENTS_AT_ONCE,
    linger: deps.linger,
    isItemError: (error) => !isDatabaseUnreachable(error),
    onBatch: deps.onBatch,
  });
  const searchAlone = withShare('work', async (ask: ChannelAsk, permit: Permit) => {
    try {
      const [claimed = null] = await runBatch([ask]);
      return claimed;
    } finally {
      permit.release();
    }
  });
  return {
    claim(ask) {
      const maySlowOthers = ask.since === null && suspects.has(ask.channelId);
      const permit = maySlowOthers ? ownStatements.tryAcquire(holderOf(ask)) : null;
      return permit ? searchAlone(ask, permit) : claim(ask);
    },
    claimWithin: withShare('work', (ask) =>
      inTurn(ask, async () => claimWithinLimits(db, ask, await rulesOf([ask]))),
    ),
    claimRun: withShare('work', async (channel, run) => {
      const ask = askForRun(channel, run);
      const rules = await rulesOf([channel]);
      const [claimed = null] = await claimRuns(db, [ask], rules);
      const isDecided = claimed === null || claimed.runs.length > 0 || claimed.refused.length > 0;
      if (isDecided || !claimed.hasLimits) return claimed;
      const limited = await claimWithinLimits(db, ask, rules);
      return limited === 'missed' ? null : limited;
    }),
    refuse: withShare('work', async (channel, runIds) => {
      const { environmentId } = channel;
      try {
        return await inTurn(channel, async () => {
          const runs = runIds.map((runId) => ({ runId, environmentId, attemptId: newId() }));
          return refuseRuns(db, runs, await rulesOf([channel]));
        });
      } catch (error) {
        onNotRefused(error);
        return 0;
      }
    }),
  };
}

/** The longest pause: a longer one made batches no larger. */
const PAUSE_MS = 20;
/** This many waiting claims or results always end a pause. */
const ENOUGH = 32;

/**
 * When claims and results pause (decision 2). Each waiting one holds a slot. A pause ends at a third of the slots, so
 * claims and results together leave a third for sending. Those that hold something scarcer, a slot of a channel with a limit
 * or a render permit, end the pause: so few never reach a third.
 */
export function lingerOf(concurrency: number, perKind: SlotsPerKind) {
  const linger = { ms: PAUSE_MS, enoughItems: Math.min(Math.ceil(concurrency / 3), ENOUGH) };
  const hasScarceSlots = (kind: ChannelKind | undefined) => kind !== undefined && perKind[kind] !== undefined;
  const claims: Linger<ChannelAsk> = {
    ...linger,
    isUrgent: ({ renders, kind }) => renders > 0 || hasScarceSlots(kind),
  };
  const results: Linger<EndedAttempt> = {
    ...linger,
    isUrgent: ({ run }) => hasScarceSlots(run.channel?.kind),
  };
  return { claims, results };
}

/** How many channels are cached, and for how many milliseconds: an environment can move to another tenant. */
const CACHED_CHANNELS = { max: 10_000, ttl: 60_000 };

/**
 * Creates a look-up of channels by their UUIDs, up to a minute old. Null for an unknown one. Concurrent calls share a query. It
 * works across environments, because a job only names its channel; a claim only sees rows of the channel's environment.
 */
export function createChannelFacts(
  across: UnboundDatabase,
): (channelId: string) => Promise<ChannelFacts | null> {
  const cached = new LRUCache<string, ChannelFacts>(CACHED_CHANNELS);
  const find = createBatcher<string, ChannelFacts | null>((ids) => findChannels(across, ids), {
    maxItems: 256,
    maxInFlight: 1,
  });
  return async (channelId) => {
    const known = cached.get(channelId);
    if (known) return known;
    const found = await find(channelId);
    if (found) cached.set(channelId, found);
    return found;
  };
}

/** How much earlier than a new run the search begins: wake-ups of runs that were accepted together can be one. */
const MARGIN_MS = 50;
/** The time between two complete searches of a busy channel: `times` the duration of one, at least `ms` and at most `mostMs`. */
const COMPLETE_EVERY = { ms: 1_000, times: 20, mostMs: 5_000 } as const;

/** What a claim tells the bound. Times are in milliseconds since the epoch, by the database's clock. */
interface Search {
  /** The bound of the claim; null if it searched completely. */
  readonly since: number | null;
  /** Whether it took all runs that it read. Otherwise the next search begins at the same time. */
  readonly tookAll: boolean;
  /** The due time of the last run that it read if there may be more; otherwise the time of the claim. */
  readonly until: number;
  /** When it ended, by a monotonic clock, and how long it took. */
  readonly atMs: number;
  readonly tookMs: number;
}

/**
 * A lower bound of the due times of a channel's waiting runs, from which a claim searches. Without one, each claim of a busy
 * channel reads again the index entries of all runs that were just claimed; beside an old transaction, which keeps them, it is
 * four times slower. The bound only saves time: a run below it is found by the next complete search: within about a second, or
 * five if that search is slow.
 */
export interface Bound {
  /** The bound for a claim that begins now; null for a complete search. */
  since(nowMs: number): number | null;
  /** Moves it back for a run that is due at `dueMs`, or for runs that may have been due for long (null). */
  moveBack(dueMs: number | null): void;
  /** Records the search of a claim that has ended. */
  searched(search: Search): void;
}

/** Creates a bound without an estimate yet. */
export function createBound(): Bound {
  let bound: number | null = null;
  let isMoved = false;
  let completeUntil = Number.NEGATIVE_INFINITY;
  return {
    since(nowMs) {
      isMoved = false;
      return nowMs < completeUntil ? bound : null;
    },
    moveBack(dueMs) {
      isMoved = true;
      bound = dueMs === null || bound === null ? null : Math.min(bound, dueMs - MARGIN_MS);
    },
    searched({ since, tookAll, until, atMs, tookMs }) {
      const { ms, times, mostMs } = COMPLETE_EVERY;
      if (since === null) completeUntil = atMs + Math.min(mostMs, Math.max(ms, times * tookMs));
      const wasClockSetBack = since !== null && until < since;
      // What a complete search has read and not taken may be due before the bound.
      const isLeftBefore = since === null && !tookAll;
      if (wasClockSetBack || isLeftBefore) bound = null;
      else if (tookAll && !isMoved) bound = until;
    },
  };
}
