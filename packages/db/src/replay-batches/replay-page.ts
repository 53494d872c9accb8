import {
  type BillingStatus,
  isBarredFromDeliveries,
  type ReplayBatchReason,
  type ReplayBatchRecord,
} from '@postrider/domain';
import { IDEMPOTENCY_WAIT_MS } from '../accept/idempotency.ts';
import {
  ConsumerQuotaExceededError,
  QuotaExceededError,
  ReplaysExceededError,
  readConsumerQuota,
  readQuota,
  readReplaysOfDay,
} from '../accept/quota.ts';
import type { RunWakeUp } from '../accept/runs.ts';
import { acrossEnvironments, type Database, type Queryable } from '../client.ts';
import { findMessages } from '../read/message-search.ts';
import { loadEnvironment } from '../snapshot/load.ts';
import { beginAccepting, changeInEnvironments, readInEnvironments } from '../transactions/transaction.ts';
import { lockAvailableBatch, readAvailableBatch, recordFailedPage } from './batches.ts';
import { channelsSeenBy } from './change-batch.ts';
import {
  afterTaking,
  countOpenReplayRuns,
  cutPage,
  MAX_OPEN_REPLAY_RUNS,
  messagesAllowed,
  type Page,
} from './page-bounds.ts';
import { insertPage, lockMessages, planMessages } from './page-messages.ts';

/** Index entries that one page reads: a page is a transaction of a fraction of a second. */
const MAX_EXAMINED = 5_000;

/** The errors of a page that the quota, or a limit of the consumer, does not hold. */
const REFUSED_BY_LIMIT = [QuotaExceededError, ConsumerQuotaExceededError, ReplaysExceededError];

export interface ReplayPageDeps {
  readonly db: Database;
  /** The clock of the pace, in milliseconds; by default the database's time at the start of the page. */
  readonly paceClock?: (databaseNow: Date) => number;
}

export type ReplayPageOutcome =
  /** A page was replayed, possibly the last. Its runs are committed; the wake-ups must be enqueued. */
  | { readonly outcome: 'advanced'; readonly wakeUps: readonly RunWakeUp[] }
  /** Paused: by its pace, or because too many of its runs are open. */
  | { readonly outcome: 'waiting' }
  /** Ended with a reason that the batch shows. */
  | { readonly outcome: 'stopped'; readonly reason: ReplayBatchReason }
  /** Ended, waiting after a failed page, or locked by another worker. */
  | { readonly outcome: 'not_available' };

async function readTenant(tx: Queryable, environmentId: string) {
  const { tenant } = await tx.environment.findUniqueOrThrow({
    where: { id: environmentId },
    select: { tenant: { select: { id: true, billingStatus: true, graceEndsAt: true } } },
  });
  return { ...tenant, billingStatus: tenant.billingStatus as BillingStatus };
}

async function endBatch(
  tx: Queryable,
  id: string,
  reason: ReplayBatchReason,
  now: Date,
): Promise<ReplayPageOutcome> {
  await tx.replayBatch.update({
    where: { id },
    data: { status: 'failed', reason, retryAt: null, completedAt: now },
  });
  return { outcome: 'stopped', reason };
}

async function waitForOpenRuns(
  tx: Queryable,
  batch: ReplayBatchRecord,
  now: Date,
): Promise<ReplayPageOutcome> {
  if (batch.reason !== 'too_many_open_runs') {
    await tx.replayBatch.update({
      where: { id: batch.id },
      data: { status: 'running', startedAt: batch.startedAt ?? now, reason: 'too_many_open_runs' },
    });
  }
  return { outcome: 'waiting' };
}

/** Stores how far the page brings the batch. */
async function advanceBatch(
  tx: Queryable,
  batch: ReplayBatchRecord,
  page: Page,
  { now, paceNow }: { now: Date; paceNow: number },
): Promise<void> {
  const skipped = { ...batch.skipped };
  for (const reason of page.skips) skipped[reason] = (skipped[reason] ?? 0) + 1;
  await tx.replayBatch.update({
    where: { id: batch.id },
    data: {
      status: page.isLast ? 'completed' : 'running',
      reason: null,
      position: page.position ?? batch.position,
      replayed: batch.replayed + page.replays.length,
      skipped,
      pace: afterTaking(
        batch.pace,
        paceNow,
        batch.messagesPerSecond,
        page.replays.length + page.skips.length,
      ),
      failures: 0,
      lastErrorCode: null,
      retryAt: null,
      startedAt: batch.startedAt ?? now,
      completedAt: page.isLast ? now : null,
    },
  });
}

/**
 * One page in one transaction, with at most `mostReplays` messages. The environment's configuration is loaded last,
 * because most calls find that no page is possible yet.
 */
async function makePage(
  tx: Queryable,
  { paceClock = (now) => now.getTime() }: ReplayPageDeps,
  { id, mostReplays }: { id: string; mostReplays: number },
): Promise<ReplayPageOutcome> {
  const now = await beginAccepting(tx, IDEMPOTENCY_WAIT_MS);
  const batch = await lockAvailableBatch(tx, id);
  if (!batch) return { outcome: 'not_available' };
  const { environmentId } = batch;
  const tenant = await readTenant(tx, environmentId);
  if (isBarredFromDeliveries(tenant, now)) return endBatch(tx, id, 'payment_required', now);
  if (mostReplays === 0) return endBatch(tx, id, 'quota_exceeded', now);
  const paceNow = paceClock(now);
  const limit = messagesAllowed(batch.pace, paceNow, batch.messagesPerSecond);
  if (limit === 0) return { outcome: 'waiting' };
  const open = await countOpenReplayRuns(tx, batch);
  if (open.count >= MAX_OPEN_REPLAY_RUNS) return waitForOpenRuns(tx, batch, now);
  const snapshot = await loadEnvironment(tx, environmentId);
  if (!snapshot) throw new Error(`environment ${environmentId} does not exist`);

  const found = await findMessages(tx, {
    environmentId,
    filter: batch.filter,
    ofChannels: channelsSeenBy(batch),
    after: batch.position,
    limit,
    maxExamined: MAX_EXAMINED,
  });
  const locked = await lockMessages(tx, { environmentId, ids: found.rows });
  const planned = await planMessages(tx, snapshot, batch, locked);
  const page = cutPage(planned, {
    nextAfter: found.nextAfter,
    // Many open runs of others must not stop it, so each page replays a message as if none of its own were open.
    mostReplays: open.isLowerBound ? 1 : mostReplays,
    openRuns: open.isLowerBound ? 0 : open.count,
    mostOpenRuns: MAX_OPEN_REPLAY_RUNS,
  });
  if (page.isEmpty) return waitForOpenRuns(tx, batch, now);
  await advanceBatch(tx, batch, page, { now, paceNow });
  // The tenant's usage row comes last: it stays locked until the commit.
  const wakeUps = await insertPage(tx, { tenantId: tenant.id, batch, now }, page);
  return { outcome: 'advanced', wakeUps };
}

/** The messages that the quota, and the limits of the consumer whose bulk replay it is, still allow. */
async function readRest(db: Database, { environmentId, consumerId }: ReplayBatchRecord): Promise<number> {
  const own = <Result>(read: (tx: Queryable) => Promise<Result>) =>
    readInEnvironments(db, [environmentId], read);
  const tenant = await own((tx) => readTenant(tx, environmentId));
  const quotas: { readonly limit: number | null; readonly used: number }[] = [await readQuota(db, tenant.id)];
  if (consumerId !== null) {
    quotas.push(await readConsumerQuota(db, environmentId, consumerId));
    quotas.push(await own((tx) => readReplaysOfDay(tx, { environmentId, consumerId })));
  }
  return Math.min(
    ...quotas.map(({ limit, used }) =>
      limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - used),
    ),
  );
}

/** One page, with the rest of the quota if that does not suffice for all of it. */
async function makePageWithinQuota(
  deps: ReplayPageDeps,
  batch: ReplayBatchRecord,
): Promise<ReplayPageOutcome> {
  const { db } = deps;
  const { id, environmentId } = batch;
  const attempt = async (mostReplays: number) => {
    try {
      return await changeInEnvironments(db, [environmentId], (tx) => makePage(tx, deps, { id, mostReplays }));
    } catch (error) {
      if (REFUSED_BY_LIMIT.some((refusal) => error instanceof refusal)) return null;
      throw error;
    }
  };
  const whole = await attempt(Number.POSITIVE_INFINITY);
  // Live traffic may use the rest in between. The next page sees the new state.
  return whole ?? (await attempt(await readRest(db, batch))) ?? { outcome: 'waiting' };
}

/**
 * Replays the next page of a bulk replay: as many messages as its pace allows. The page's runs, its use of the quota
 * and the batch's position are one transaction, which locks the batch's row. So only one of several workers makes the
 * page, one that dies or freezes leaves nothing (PostgreSQL ends an idle transaction after 3 s), and the next
 * continues from the last committed page. No message is replayed twice or skipped, and no lease is needed. If the
 * quota does not suffice, the page uses the rest, and the next page ends the batch as `failed`. Rejects if the page
 * fails, which is recorded, see {@link recordFailedPage}.
 */
export async function replayPage(
  deps: ReplayPageDeps,
  { id }: { readonly id: string },
): Promise<ReplayPageOutcome> {
  const seen = await readAvailableBatch(acrossEnvironments(deps.db), id);
  if (!seen) return { outcome: 'not_available' };
  try {
    return await makePageWithinQuota(deps, seen);
  } catch (error) {
    // Without PostgreSQL nothing can be recorded. The page is tried as soon as it is back.
    await recordFailedPage(deps.db, seen, error).catch(() => undefined);
    throw error;
  }
}
