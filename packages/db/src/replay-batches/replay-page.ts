import { isBarredFromDeliveries, type ReplayBatchReason } from '@postrider/domain';
import { IDEMPOTENCY_WAIT_MS } from '../accept/idempotency.ts';
import { beginAccepting } from '../accept/insert-runs.ts';
import { QuotaExceededError, readQuota } from '../accept/quota.ts';
import type { RunToEnqueue } from '../accept/types.ts';
import { type Database, type Queryable, TRANSACTION_LIMITS } from '../client.ts';
import { findMessages } from '../read/message-search.ts';
import { type EnvironmentSnapshot, loadEnvironment } from '../snapshot/load.ts';
import { type ReplayBatchRecord, toReplayBatch } from './batch-record.ts';
import { cutPage, type Page } from './cut-page.ts';
import { insertPage } from './insert-page.ts';
import { countOpenReplayRuns, MAX_OPEN_REPLAY_RUNS } from './open-runs.ts';
import { afterTaking, messagesAllowed } from './pace.ts';
import { planMessages } from './plan-page.ts';

/** Index entries that one page looks at: a page is a transaction of a fraction of a second. */
const MAX_EXAMINED = 5_000;

export interface ReplayPageDeps {
  readonly db: Database;
  readonly monotonicMs: () => number;
  /** The clock of the pace, in milliseconds; the database's, at the page's beginning, unless a test has its own. */
  readonly paceClock?: (databaseNow: Date) => number;
}

export type ReplayPageOutcome =
  /** Came further, perhaps to its end; the runs are committed, and the queue has yet to be told of them. */
  | { readonly outcome: 'advanced'; readonly enqueue: readonly RunToEnqueue[] }
  /** May make no more for now: by its pace, or because too many of its runs are open. */
  | { readonly outcome: 'waiting' }
  /** At its end for a reason that it shows. */
  | { readonly outcome: 'stopped'; readonly reason: ReplayBatchReason }
  /** At its end, or somebody else is making a page of it. */
  | { readonly outcome: 'not_available' };

/** Takes the batch's row for the transaction; null when it is at its end or somebody else has it. */
async function lockBatch(tx: Queryable, id: string): Promise<ReplayBatchRecord | null> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM replay_batches WHERE id = ${id}::uuid AND status IN ('pending', 'running') FOR UPDATE SKIP LOCKED`;
  return locked.length === 0
    ? null
    : toReplayBatch(await tx.replayBatch.findUniqueOrThrow({ where: { id } }));
}

async function endBatch(
  tx: Queryable,
  id: string,
  reason: ReplayBatchReason,
  now: Date,
): Promise<ReplayPageOutcome> {
  await tx.replayBatch.update({
    where: { id },
    data: { status: 'failed', reason, completedAt: now },
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

/** Writes how far the page brings the batch. */
async function advanceBatch(
  tx: Queryable,
  batch: ReplayBatchRecord,
  page: Page,
  { now, paceNow }: { now: Date; paceNow: number },
): Promise<void> {
  const skipped = { ...batch.skipped };
  for (const reason of page.skips) skipped[reason] += 1;
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
      startedAt: batch.startedAt ?? now,
      completedAt: page.isLast ? now : null,
    },
  });
}

/** One page in one transaction; at most `mostReplays` messages are replayed. */
async function makePage(
  tx: Queryable,
  { paceClock = (now) => now.getTime() }: ReplayPageDeps,
  { id, snapshot, mostReplays }: { id: string; snapshot: EnvironmentSnapshot; mostReplays: number },
): Promise<ReplayPageOutcome> {
  const now = await beginAccepting(tx, IDEMPOTENCY_WAIT_MS);
  const batch = await lockBatch(tx, id);
  if (!batch) return { outcome: 'not_available' };
  if (isBarredFromDeliveries(snapshot.tenant, now)) return endBatch(tx, id, 'payment_required', now);
  if (mostReplays === 0) return endBatch(tx, id, 'quota_exceeded', now);
  const paceNow = paceClock(now);
  const limit = messagesAllowed(batch.pace, paceNow, batch.messagesPerSecond);
  if (limit === 0) return { outcome: 'waiting' };
  const { environmentId } = batch;
  const openRuns = await countOpenReplayRuns(tx, environmentId);
  if (openRuns >= MAX_OPEN_REPLAY_RUNS) return waitForOpenRuns(tx, batch, now);

  const found = await findMessages(tx, {
    environmentId,
    filter: batch.filter,
    after: batch.position,
    limit,
    maxExamined: MAX_EXAMINED,
  });
  const planned = await planMessages(tx, snapshot, batch, found.ids);
  const page = cutPage(planned, {
    nextAfter: found.nextAfter,
    mostReplays,
    openRuns,
    mostOpenRuns: MAX_OPEN_REPLAY_RUNS,
  });
  if (page.isEmpty) return waitForOpenRuns(tx, batch, now);
  await advanceBatch(tx, batch, page, { now, paceNow });
  // The tenant's usage row comes last: it stays locked until the commit.
  const enqueue = await insertPage(tx, { tenantId: snapshot.tenant.id, environmentId, now }, page);
  return { outcome: 'advanced', enqueue };
}

/**
 * Makes the next page of a bulk replay: as many messages as its pace allows. The page's runs, what they use of the quota
 * and how far the batch has come are one transaction, which holds the batch's row: of any number of workers one makes
 * the page, one that dies or freezes leaves nothing of it (Postgres ends an idle transaction after 3 s), and whoever
 * comes next goes on from the last page that was committed. So no message is replayed twice, none is passed over, and no
 * lease is needed. Of a quota with fewer left than the page wants, the page takes what is left, and the next one ends
 * the batch as `failed`.
 */
export async function replayPage(
  deps: ReplayPageDeps,
  { id, environmentId }: { readonly id: string; readonly environmentId: string },
): Promise<ReplayPageOutcome> {
  const { db, monotonicMs } = deps;
  const snapshot = await loadEnvironment(db, environmentId, monotonicMs);
  if (!snapshot) throw new Error(`environment ${environmentId} does not exist`);
  const attempt = async (mostReplays: number): Promise<ReplayPageOutcome | 'quota_exceeded'> => {
    try {
      return await db.$transaction(
        (tx) => makePage(tx, deps, { id, snapshot, mostReplays }),
        TRANSACTION_LIMITS,
      );
    } catch (error) {
      if (error instanceof QuotaExceededError) return 'quota_exceeded';
      throw error;
    }
  };
  const whole = await attempt(Number.POSITIVE_INFINITY);
  if (whole !== 'quota_exceeded') return whole;
  const { limit, used } = await readQuota(db, snapshot.tenant.id);
  const rest = await attempt(limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - used));
  // Live traffic has taken what was left in between: the next page sees what there is then.
  return rest === 'quota_exceeded' ? { outcome: 'waiting' } : rest;
}
