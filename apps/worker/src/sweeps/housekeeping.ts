import type { ChannelRegistry } from '@postrider/channels';
import {
  acrossEnvironments,
  type ChainDeps,
  type ChainHead,
  chainAuditEntries,
  deleteExpiredAnswers,
  deleteExpiredConsoleSessions,
  deleteExpiredDeviceLogins,
  deleteExpiredPortalLinks,
  deleteExpiredSuppressions,
  deleteFullLimits,
  dispatchOperationalEvents,
  type ErasureDeps,
  endRunsOfDeletedChannels,
  eraseExpiredSecrets,
  erasePage,
  expireLimitedRuns,
  findExpiredLimited,
  findOpenErasures,
  findOpenReplayBatches,
  foldDeliveryUsage,
  foldStats,
  markEndedChannels,
  type ReleasedRun,
  type ReplayPageDeps,
  recordPresence,
  releaseExpiredLeases,
  removeOldConsumerUsage,
  removeOldOperationalEvents,
  removeOldStats,
  replayPage,
  type UnboundDatabase,
} from '@postrider/db';
import type { IdSource } from '@postrider/domain';
import type { Enqueue } from '@postrider/queue';

/** Channels per round. */
const MAX_LIMITED_CHANNELS = 200;

export interface LimitsDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  /** The UUID of the channel after which the next round continues; null for the beginning. Rounds change it. */
  readonly cursor: { after: string | null };
  /** Called if one channel failed. The others continue. */
  readonly onError: (error: unknown) => void;
}

/** Ends runs that have waited too long for the limits of their channels. Every worker does this. Returns how many it ended. */
export async function sweepLimits({ db, newId, cursor, onError }: LimitsDeps): Promise<number> {
  await recordPresence(db);
  const found = await findExpiredLimited(db, { limit: MAX_LIMITED_CHANNELS, after: cursor.after });
  cursor.after = found.length < MAX_LIMITED_CHANNELS ? null : (found.at(-1)?.channelId ?? null);
  let ended = 0;
  for (const channel of found) {
    try {
      ended += await expireLimitedRuns({ db, newId }, channel);
    } catch (error) {
      onError(error);
    }
  }
  return ended;
}

/** Events per transaction, and transactions per round. */
const DISPATCHED_AT_ONCE = 100;
const MAX_DISPATCHES = 50;
const REMOVED_AT_ONCE = 1_000;

/** Sends operational events. Returns how many runs were created. */
export async function sweepOperationalEvents({
  db,
  kinds,
  enqueue,
}: {
  readonly db: UnboundDatabase;
  readonly kinds: ChannelRegistry;
  readonly enqueue: Enqueue;
}): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_DISPATCHES; batch += 1) {
    const { runs, hasMore } = await dispatchOperationalEvents(
      { db, kinds: kinds.definitions },
      DISPATCHED_AT_ONCE,
    );
    await enqueue(runs);
    total += runs.length;
    if (!hasMore) break;
  }
  await removeOldOperationalEvents(db, REMOVED_AT_ONCE);
  return total;
}

const RELEASED_AT_ONCE = 500;
const MAX_RELEASE_BATCHES = 20;

export interface LeasesDeps {
  readonly db: UnboundDatabase;
  readonly enqueue: Enqueue;
  /** Called with the released runs of each batch. */
  readonly onReleased?: ((runs: readonly ReleasedRun[]) => void) | undefined;
}

/**
 * Releases the runs of lost workers and wakes their channels. A released run keeps its due time, so it is among the first. Runs
 * in quarantine need no wake-up: the quarantine finds them in Postgres. Returns how many were released.
 */
export async function sweepLeases({ db, enqueue, onReleased }: LeasesDeps): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_RELEASE_BATCHES; batch += 1) {
    const released = await releaseExpiredLeases(db, RELEASED_AT_ONCE);
    onReleased?.(released);
    const again = released.filter(({ status, isQuarantined }) => status === 'retrying' && !isQuarantined);
    await enqueue(again);
    total += released.length;
    if (released.length < RELEASED_AT_ONCE) break;
  }
  return total;
}

/** Rows per transaction, and transactions per round. */
const BATCH = 1_000;
const MAX_BATCHES = 20;
const MAX_ANSWER_BATCHES = 50;
const SECRETS_BATCH = 500;

/**
 * Ends the waiting runs of deleted channels: those over the limit of the deletion, those that return from an attempt,
 * and those of events that were being accepted.
 */
export async function sweepDeletedChannels(deps: { db: UnboundDatabase; newId: IdSource }): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await endRunsOfDeletedChannels(deps, BATCH)) === 0) break;
  }
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await markEndedChannels(deps.db, BATCH)) < BATCH) break;
  }
}

/**
 * Removes stored responses of idempotency keys after a day (docs/specification.md, "Idempotency"), in short
 * transactions. Returns how many.
 */
export async function sweepExpiredAnswers(db: UnboundDatabase): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_ANSWER_BATCHES; batch += 1) {
    const removed = await deleteExpiredAnswers(db, BATCH);
    total += removed;
    if (removed < BATCH) break;
  }
  return total;
}

/** Removes suppressions that have ended, in short transactions. */
export async function sweepExpiredSuppressions(db: UnboundDatabase): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await deleteExpiredSuppressions(db, BATCH)) < BATCH) return;
  }
}

/**
 * Removes expired sessions and links of the console and the portal, sign-ins of the command line, and limits of sign-ins that are full again, in short transactions.
 * Returns how many.
 */
export async function sweepConsoleSessions(db: UnboundDatabase): Promise<number> {
  let total = 0;
  const removals = [
    ...[deleteExpiredConsoleSessions, deleteExpiredDeviceLogins],
    ...[deleteExpiredPortalLinks, deleteFullLimits],
  ];
  for (const remove of removals) {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const removed = await remove(db, BATCH);
      total += removed;
      if (removed < BATCH) break;
    }
  }
  return total;
}

/**
 * Adds counted rows to the figures by minute and hour and to the usage of the month, and records the health of channels.
 * Returns how many rows.
 */
export async function sweepStats(db: UnboundDatabase, healthOffsetMs = 0): Promise<number> {
  const figures = await foldInBatches((after) => foldStats(db, BATCH, after, { healthOffsetMs }));
  return figures + (await foldInBatches((after) => foldDeliveryUsage(db, BATCH, after)));
}

async function foldInBatches(
  fold: (after: bigint) => Promise<{ readonly rows: number; readonly last: bigint }>,
): Promise<number> {
  let total = 0;
  let after = 0n;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { rows, last } = await fold(after);
    total += rows;
    after = last;
    if (rows < BATCH) break;
  }
  return total;
}

/** Audit entries per transaction: of each, a statement reads the entry and looks for its link. */
const LINKS_BATCH = 500;

/**
 * Appends the audit entries that wait to the hash chain, and reports its head if it has grown. Returns how many were
 * appended.
 */
export async function sweepAuditChain({
  onChained,
  ...deps
}: ChainDeps & { readonly onChained: (head: ChainHead) => void }): Promise<number> {
  let total = 0;
  let last: ChainHead | null = null;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { links, head, hasMore } = await chainAuditEntries(deps, LINKS_BATCH);
    total += links;
    if (links > 0) last = head;
    if (!hasMore) break;
  }
  if (last) onChained(last);
  return total;
}

/** Removes old figures and the usage of consumers in old months, in short transactions. */
export async function sweepOldStats(db: UnboundDatabase): Promise<void> {
  for (const remove of [removeOldStats, removeOldConsumerUsage]) {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if ((await remove(db, BATCH)) < BATCH) break;
    }
  }
}

/** Erases secrets whose overlap is over, in short transactions. */
export async function sweepExpiredSecrets(db: UnboundDatabase): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await eraseExpiredSecrets(db, SECRETS_BATCH)) < SECRETS_BATCH) return;
  }
}

/** Erasures per round, chosen at random. */
const MAX_ERASURES = 20;
/** Pages of one erasure per round. */
const MAX_PAGES = 5;

/**
 * Erases pages of each open erasure. Every worker does this; locks in the database coordinate them, and a lost worker
 * leaves the next page to any other. A failed one is reported, and the others continue.
 */
export async function sweepErasures(
  deps: ErasureDeps,
  { onError }: { onError: (error: unknown) => void },
): Promise<void> {
  for (const erasure of await findOpenErasures(acrossEnvironments(deps.db), MAX_ERASURES)) {
    try {
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const result = await erasePage(deps, erasure);
        if (result.outcome !== 'advanced' || result.messages === 0) break;
      }
    } catch (error) {
      onError(error);
    }
  }
}

/** Bulk replays per round, chosen at random. */
const MAX_REPLAYS = 50;

interface ReplayBatchesDeps extends Omit<ReplayPageDeps, 'db'> {
  readonly db: UnboundDatabase;
  readonly enqueue: Enqueue;
  /** Called if a page failed. The other bulk replays continue. */
  readonly onError: (error: unknown) => void;
}

/**
 * Replays one page of each open bulk replay. Every worker does this; locks in the database coordinate them, and a
 * lost worker leaves the next page to any other. Polls find runs whose wake-ups could not be added.
 */
export async function sweepReplayBatches({ enqueue, onError, ...deps }: ReplayBatchesDeps): Promise<void> {
  for (const batch of await findOpenReplayBatches(deps.db, MAX_REPLAYS)) {
    try {
      const page = await replayPage(deps, batch);
      if (page.outcome === 'advanced') await enqueue(page.enqueue);
    } catch (error) {
      onError(error);
    }
  }
}
