import type { ChannelRegistry } from '@postrider/channels';
import {
  acrossEnvironments,
  assignDueSequences,
  type ChainHead,
  chainAuditEntries,
  createAddressHashKey,
  deleteChannel,
  deleteExpiredAnswers,
  deleteExpiredRows,
  deleteFullLimits,
  dispatchOperationalEvents,
  endRunsOfDeletedChannels,
  eraseExpiredSecrets,
  erasePage,
  expireHeldRuns,
  expireLimitedRuns,
  findExpiredLimited,
  findGoneListeners,
  findHeldChannels,
  findOpenErasures,
  findOpenReplayBatches,
  findReleasingChannels,
  findResumedStreams,
  foldDeliveryUsage,
  foldStats,
  forgetIdleKeys,
  forgetResumedStreams,
  keepAttention,
  markEndedChannels,
  type OrderingKey,
  pauseStreams,
  type ReleasedRun,
  readComplaintRates,
  recordPresence,
  releaseExpiredLeases,
  releaseHeldRuns,
  removeExpiredMessages,
  removeOldConsumerUsage,
  removeOldOperationalEvents,
  removeOldStats,
  replayPage,
  reportExpiringSecrets,
  reportQuotaThresholds,
  type ServiceKeySource,
  settleHealth,
  type UnboundDatabase,
  WORKER_ACTOR,
} from '@postrider/db';
import type { IdSource } from '@postrider/domain';
import type { Enqueue } from '@postrider/queue';
import { BATCH, inBatches, repeat } from './loop.ts';
import { moveTurns } from './ordering.ts';

/** Channels per round in each step of health and limits, and channels with listeners per round. */
const MAX_CHANNELS = 200;
const MAX_LISTENERS = 500;
/** Bulk replays and erasures per round, chosen at random, and pages of one erasure per round. */
const MAX_REPLAYS = 50;
const MAX_ERASURES = 20;
const MAX_PAGES = 5;
/** Environments that another worker has just looked at are left out. Pages of environments per round. */
const ATTENTION_FRESH_MS = 2_500;
const MAX_ATTENTION_PAGES = 5;
/** Operational events per transaction, and transactions per round. */
const DISPATCHED_AT_ONCE = 100;
const MAX_DISPATCHES = 50;
/** Rows per transaction where a row costs more than usual: of an audit entry, a statement also looks for its link. */
const SMALL_BATCH = 500;

export interface SweepDeps {
  readonly db: UnboundDatabase;
  readonly kinds: ChannelRegistry;
  readonly enqueue: Enqueue;
  readonly newId: IdSource;
  readonly serviceKeys: ServiceKeySource;
  /** Called with the released runs of each batch. */
  readonly onReleased: (runs: readonly ReleasedRun[]) => void;
  /** Called with the head of the audit log's hash chain after each round that has appended to it. */
  readonly onChained: (head: ChainHead) => void;
  /** Called with the highest shares of complaints. */
  readonly onComplaintRates: (rates: Awaited<ReturnType<typeof readComplaintRates>>) => void;
  /** UUID of the environment that gets the entries of the audit log as operational events; null for none. */
  readonly auditEnvironment: string | null;
  /** Seconds for which an erasure looks for late messages; see `ErasureDeps`. */
  readonly lateMessagesSeconds?: number | undefined;
}

/**
 * Releases the runs of lost workers and wakes their channels. A released run keeps its due time, so it is among the first. Runs
 * in quarantine need no wake-up: the quarantine finds them in Postgres. Returns how many were released.
 */
export const sweepLeases = ({
  db,
  enqueue,
  onReleased,
}: Pick<SweepDeps, 'db' | 'enqueue'> & Partial<Pick<SweepDeps, 'onReleased'>>): Promise<number> =>
  inBatches(
    async (limit) => {
      const released = await releaseExpiredLeases(db, limit);
      onReleased?.(released);
      await enqueue(released.filter(({ status, isQuarantined }) => status === 'retrying' && !isQuarantined));
      return released.length;
    },
    { limit: SMALL_BATCH },
  );

/** Called if a part of a round failed, such as one channel. The others continue. */
type OnError = (error: unknown) => void;

/** A round, which limits its own work. Returns how many items it handled, or undefined if it does not count them. */
type Round = (onError: OnError) => Promise<number | undefined>;

export interface SweepDefinition {
  /** The pause after a round that handled something, in milliseconds. */
  readonly pauseMs: number;
  /** The longest pause, in milliseconds. While rounds find nothing, the pause doubles from `pauseMs` to this. */
  readonly idleMs: number;
  /** The share of the connections: `sweep` if due runs may wait for this sweep. */
  readonly share: 'sweep' | 'housekeep';
  readonly round: Round;
}

/** The longest pause of sweeps whose work may begin this late. */
const IDLE_MS = 2_000;

/** The pause of a sweep in milliseconds, or the two of a {@link SweepDefinition}. */
type Pause = number | readonly [pauseMs: number, idleMs: number];

function every(pause: Pause, round: Round): SweepDefinition {
  const [pauseMs, idleMs] = typeof pause === 'number' ? [pause, pause] : pause;
  return { pauseMs, idleMs, share: 'housekeep', round };
}
const urgent = (pause: Pause, round: Round): SweepDefinition => ({ ...every(pause, round), share: 'sweep' });

/** Does the work for each item, also if it fails for others. Returns the sum. */
async function forEach<Item>(
  items: Iterable<Item>,
  onError: OnError,
  work: (item: Item) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (const item of items) {
    try {
      total += await work(item);
    } catch (error) {
      onError(error);
    }
  }
  return total;
}

export type Sweep = keyof ReturnType<typeof createSweeps>;

/**
 * Creates all sweeps. Every worker does them; locks in the database coordinate them, and a lost worker leaves the rest to any other. A
 * round limits its own work, in short transactions. Polls find runs whose wake-ups could not be added.
 */
export function createSweeps(deps: SweepDeps) {
  const { db, kinds, enqueue, newId, serviceKeys } = deps;
  /** Where the next rounds continue; null for the beginning. UUIDs. */
  const after: Record<'settled' | 'held' | 'attention' | 'limits' | 'listeners', string | null> = {
    settled: null,
    held: null,
    attention: null,
    limits: null,
    listeners: null,
  };
  let idleAfter: OrderingKey | null = null;

  function foldInBatches(
    fold: (limit: number, after: bigint) => Promise<{ readonly rows: number; readonly last: bigint }>,
  ): Promise<number> {
    let last = 0n;
    return inBatches(async (limit) => {
      const folded = await fold(limit, last);
      last = folded.last;
      return folded.rows;
    });
  }

  return {
    /** The run of a lost worker starts again at most about 2 s after its lease has ended. */
    leases: urgent(1_000, () => sweepLeases(deps)),
    /** After a day (docs/specification.md, "Idempotency"). 50,000 a round are enough for 10,000 events a second. */
    expiredAnswers: every(5_000, () => inBatches((limit) => deleteExpiredAnswers(db, limit), { times: 50 })),
    /** Ends the runs that the deletion left: beyond its batch, returning from an attempt, or of an event that was being accepted. */
    deletedChannels: every([1_000, IDLE_MS], async () => {
      await repeat(async () => {
        const ended = await endRunsOfDeletedChannels({ db, newId }, BATCH);
        return { handled: ended, hasMore: ended > 0 };
      });
      await inBatches((limit) => markEndedChannels(db, limit));
    }),
    /** Secrets whose overlap is over, and suppressions that have ended. */
    expiredSecrets: every(60_000, async () => {
      await inBatches((limit) => eraseExpiredSecrets(db, limit), { limit: SMALL_BATCH });
      await inBatches((limit) => deleteExpiredRows(db, 'suppressions', limit));
    }),
    /** One page of each, which has at most half a second's worth of its pace. */
    replayBatches: every([250, IDLE_MS], async (onError) => {
      const open = await findOpenReplayBatches(db, MAX_REPLAYS);
      await forEach(open, onError, async (batch) => {
        const page = await replayPage({ db }, batch);
        if (page.outcome === 'advanced') await enqueue(page.wakeUps);
        return 1;
      });
    }),
    /** The database keeps the pace of all workers: a round before the pause of a batch is over finds nothing, and the next one may. */
    expiredMessages: every(250, async () => {
      const removal = await removeExpiredMessages(db);
      return removal.outcome === 'removed' ? removal.messages : undefined;
    }),
    erasures: every([1_000, IDLE_MS], async (onError) => {
      const open = await findOpenErasures(acrossEnvironments(db), MAX_ERASURES);
      const { lateMessagesSeconds } = deps;
      await forEach(open, onError, (erasure) =>
        repeat(async () => {
          const page = await erasePage({ db, newId, keys: serviceKeys, lateMessagesSeconds }, erasure);
          const handled = page.outcome === 'advanced' ? page.messages : 0;
          return { handled, hasMore: handled > 0 };
        }, MAX_PAGES),
      );
    }),
    /** Also links of the portal, sign-ins of the command line, and limits of sign-ins that are full again. */
    consoleSessions: every(60_000, async () => {
      let total = await inBatches((limit) => deleteFullLimits(db, limit));
      for (const table of ['console_sessions', 'device_logins', 'portal_links'] as const)
        total += await inBatches((limit) => deleteExpiredRows(db, table, limit));
      return total;
    }),
    /** Figures by minute and hour, with the health of channels, and the usage of the month. */
    stats: every([1_000, IDLE_MS], async () => {
      const figures = await foldInBatches((limit, last) => foldStats(db, limit, last));
      return figures + (await foldInBatches((limit, last) => foldDeliveryUsage(db, limit, last)));
    }),
    /** There can be an operational event for each delivery: 100,000 a minute are enough for 1,600 a second. */
    oldStats: every(60_000, (onError) =>
      forEach([removeOldStats, removeOldConsumerUsage, removeOldOperationalEvents], onError, (remove) =>
        inBatches((limit) => remove(db, limit), { times: 100 }),
      ),
    ),
    attention: every(5_000, async () => {
      await repeat(async () => {
        after.attention = await keepAttention(db, { after: after.attention, freshMs: ATTENTION_FRESH_MS });
        return { handled: 0, hasMore: after.attention !== null };
      }, MAX_ATTENTION_PAGES);
    }),
    complaints: every(60_000, async () => {
      const options = { kinds: kinds.definitions };
      const paused = await pauseStreams({ ...options, db, newId });
      await forgetResumedStreams(db);
      deps.onComplaintRates(await readComplaintRates(db, options));
      return paused;
    }),
    /** Settles the health of channels, and releases or ends their held runs. */
    health: urgent([1_000, IDLE_MS], async (onError) => {
      const addressHashKey = createAddressHashKey(serviceKeys, onError);
      const settling = { db, newId, kinds, addressHashKey };
      const page = { limit: MAX_CHANNELS, after: after.settled, onError };
      const { probes, next } = await settleHealth(settling, page);
      after.settled = next;
      await enqueue(probes);
      const held = await findHeldChannels(db, { limit: MAX_CHANNELS, after: after.held });
      after.held = held.next;
      const expired = held.channels.filter(({ hasExpired }) => hasExpired);
      const ended = await forEach(expired, onError, ({ channelId }) => expireHeldRuns(settling, channelId));
      const resumed = held.channels.filter(({ isPaused }) => !isPaused).map(({ channelId }) => channelId);
      const releasing = await findReleasingChannels(db, MAX_CHANNELS);
      const streams = await findResumedStreams(db, MAX_CHANNELS);
      const channels = new Set([...releasing, ...resumed, ...streams.keys()]);
      const released = await forEach(channels, onError, async (channelId) => {
        const wakeUps = await releaseHeldRuns(settling, channelId, streams.get(channelId));
        await enqueue(wakeUps);
        return wakeUps.length;
      });
      return ended + released;
    }),
    operationalEvents: every(1_000, () =>
      repeat(async () => {
        const dispatching = { db, kinds: kinds.definitions };
        const { wakeUps, hasMore } = await dispatchOperationalEvents(dispatching, DISPATCHED_AT_ONCE);
        await enqueue(wakeUps);
        return { handled: wakeUps.length, hasMore };
      }, MAX_DISPATCHES),
    ),
    expiringSecrets: every(60_000, async () => {
      await reportExpiringSecrets(db);
    }),
    quotaThresholds: every(60_000, async () => {
      await reportQuotaThresholds(db);
    }),
    /** Appends the audit entries that wait to the hash chain. */
    auditChain: every(1_000, async () => {
      const { auditChain: key } = await serviceKeys.get();
      let last: ChainHead | null = null;
      const total = await repeat(async () => {
        const chain = { db, key, reportTo: deps.auditEnvironment };
        const { links, head, hasMore } = await chainAuditEntries(chain, SMALL_BATCH);
        if (links > 0) last = head;
        return { handled: links, hasMore };
      });
      if (last) deps.onChained(last);
      return total;
    }),
    /** Moves the turn of every ordering key with ended runs, and gives due scheduled runs their sequence. */
    ordering: urgent([500, 1_000], async () => {
      const ended = await moveTurns({ db, enqueue });
      const assigned = await inBatches(
        async (limit) => {
          const batch = await assignDueSequences(db, limit);
          await enqueue(batch.wakeUps);
          return batch.assigned;
        },
        { limit: SMALL_BATCH, times: Number.POSITIVE_INFINITY },
      );
      return ended + assigned;
    }),
    /** Looks for long-unused ordering keys among the next 20,000, except those that another worker has locked. */
    idleKeys: every(60_000, () =>
      repeat(async () => {
        const { forgotten, next } = await forgetIdleKeys(db, { after: idleAfter, limit: BATCH });
        idleAfter = next;
        return { handled: forgotten, hasMore: next !== null };
      }),
    ),
    /** Ends runs that have waited too long for the limits of their channels. */
    limits: urgent([1_000, IDLE_MS], async (onError) => {
      const found = await findExpiredLimited(db, { limit: MAX_CHANNELS, after: after.limits });
      after.limits = found.length < MAX_CHANNELS ? null : (found.at(-1)?.channelId ?? null);
      return forEach(found, onError, (channel) => expireLimitedRuns({ db, newId }, channel));
    }),
    /** Records that there are workers: only while there are, runs wait for the limits of their channels. */
    presence: every(10_000, async () => {
      await recordPresence(db);
    }),
    /** Deletes the channels of listeners that have not come back, as after the crash of a laptop. */
    listeners: every(30_000, async (onError) => {
      const found = await findGoneListeners(db, { after: after.listeners, limit: MAX_LISTENERS });
      after.listeners = found.after;
      return forEach(found.gone, onError, async (id) =>
        Number(await deleteChannel({ db, newId, kinds, actor: WORKER_ACTOR }, id)),
      );
    }),
  } satisfies Record<string, SweepDefinition>;
}
