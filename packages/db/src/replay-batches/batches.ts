import {
  formatId,
  type JsonObject,
  type PresentedFilter,
  presentFilter,
  presentReplayBatch,
  REPLAY_SKIP_REASONS,
  type ReplayBatchReason,
  type ReplayBatchRecord,
  type ReplayBatchStatus,
  toMessageFilter,
} from '@postrider/domain';
import { consumerSince } from '../channels/consumer-record.ts';
import { type Database, databaseErrorCodes, Prisma, type Queryable } from '../client.ts';
import { SQLSTATE } from '../database-errors.ts';
import type { ReplayBatch as ReplayBatchRow } from '../generated/client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import { recipientHash } from '../recipient-address.ts';
import { OPEN_BATCH } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { auditRecorderOf } from '../transactions/audit.ts';

const NOTHING_SKIPPED = Object.fromEntries(REPLAY_SKIP_REASONS.map((reason) => [reason, 0]));

/** Converts a row. An empty list of channels means all. */
export function toReplayBatch(row: ReplayBatchRow): ReplayBatchRecord {
  const skipped = row.skipped as Record<string, number>;
  return {
    ...row,
    status: row.status as ReplayBatchStatus,
    reason: row.reason as ReplayBatchReason | null,
    filter: toMessageFilter(row.filter as PresentedFilter),
    channelIds: row.channelIds.length > 0 ? row.channelIds : null,
    skipped: { ...NOTHING_SKIPPED, ...skipped },
  };
}

/**
 * A bulk replay as the audit log stores it, with a hash instead of the address in its filter, see {@link
 * recipientHash}.
 */
function auditedReplayBatch(batch: ReplayBatchRecord): JsonObject {
  const { recipientEmail, ...filter } = batch.filter;
  if (recipientEmail === undefined) return presentReplayBatch(batch);
  const recipient_sha256 = recipientHash(batch.environmentId, recipientEmail);
  return { ...presentReplayBatch(batch), filter: { ...presentFilter(filter), recipient_sha256 } };
}

export const recordReplayBatch = auditRecorderOf(
  ({ id, environmentId }: ReplayBatchRecord) => ({ resourceId: formatId('rpb', id), environmentId }),
  auditedReplayBatch,
);

/** The bulk replay with this UUID, or null. */
export async function readReplayBatch(db: Queryable, id: string): Promise<ReplayBatchRecord | null> {
  const row = await db.replayBatch.findFirst({ where: { id } });
  return row && toReplayBatch(row);
}

/** A bulk replay of a consumer that exists; null for others. */
export async function readOwnedBatch(
  db: Queryable,
  { id, environmentId }: { readonly id: string; readonly environmentId: string },
): Promise<ReplayBatchRecord | null> {
  const batch = await readReplayBatch(db, id);
  if (batch === null || batch.environmentId !== environmentId || batch.consumerId === null) return null;
  const since = await consumerSince(db, { environmentId, id: batch.consumerId });
  return batch.createdAt >= since ? batch : null;
}

/** An environment's bulk replays, newest first; with `consumerId` only those of this consumer. */
export async function listReplayBatches(
  db: Queryable,
  {
    environmentId,
    consumerId,
    ...page
  }: PageRequest & { readonly environmentId: string; readonly consumerId: string | null },
): Promise<Page<ReplayBatchRecord>> {
  const ofConsumer = consumerId !== null && {
    consumerId,
    createdAt: { gte: await consumerSince(db, { environmentId, id: consumerId }) },
  };
  return newestFirst(page, async (id, query) => {
    const rows = await db.replayBatch.findMany({ where: { environmentId, ...ofConsumer, id }, ...query });
    return rows.map(toReplayBatch);
  });
}

const IS_AVAILABLE = Prisma.raw(`status IN ${OPEN_BATCH.sql} AND (retry_at IS NULL OR retry_at <= now())`);

/** The batch, if it may replay a page now: it has not ended and is not waiting after a failed page. */
export async function readAvailableBatch(db: Queryable, id: string): Promise<ReplayBatchRecord | null> {
  const [found] = await db.$queryRaw<unknown[]>`
    SELECT FROM replay_batches WHERE id = ${id}::uuid AND ${IS_AVAILABLE}`;
  return found ? readReplayBatch(db, id) : null;
}

/** {@link readAvailableBatch}, with its row locked for the transaction. Null if others have locked it. */
export async function lockAvailableBatch(tx: Queryable, id: string): Promise<ReplayBatchRecord | null> {
  const [locked] = await tx.$queryRaw<unknown[]>`
    SELECT FROM replay_batches WHERE id = ${id}::uuid AND ${IS_AVAILABLE} FOR UPDATE SKIP LOCKED`;
  return locked ? readReplayBatch(tx, id) : null;
}

/**
 * Bulk replays that may replay a page: environments in turn, each with its own and those of its consumers, and in random order, so
 * that none is always last.
 */
export async function findOpenReplayBatches(
  db: Queryable,
  limit: number,
): Promise<{ readonly id: string }[]> {
  return db.$queryRaw`
    SELECT id FROM replay_batches
     WHERE ${IS_AVAILABLE}
     ORDER BY row_number() OVER (PARTITION BY environment_id, consumer_id IS NULL ORDER BY random()), random() LIMIT ${limit}`;
}

/** Failed pages in a row after which the batch ends: about 14 minutes after the first. */
const MAX_FAILURES = 20;
/** The wait doubles from 1 s to this. */
const MAX_WAIT_SECONDS = 60;

function codeOf(error: unknown): string {
  const codes = databaseErrorCodes(error);
  return codes.find((code) => SQLSTATE.test(code)) ?? codes[0] ?? 'internal_error';
}

interface FailedPage extends Pick<ReplayBatchRecord, 'id' | 'environmentId' | 'failures' | 'position'> {
  readonly code: string;
  readonly isGivenUp: boolean;
  readonly waitSeconds: number;
}

const recordFailure = defineStatement<FailedPage, never>({
  text: `
    UPDATE replay_batches
       SET failures = failures + 1, last_error_code = :code, reason = 'page_failed',
           status = CASE WHEN :isGivenUp::bool THEN 'failed' ELSE status END,
           completed_at = CASE WHEN :isGivenUp::bool THEN now() END,
           retry_at = CASE WHEN NOT :isGivenUp::bool THEN now() + make_interval(secs => :waitSeconds::int) END
     WHERE id = :id::uuid AND status IN ${OPEN_BATCH.sql} AND failures = :failures::int
       AND position IS NOT DISTINCT FROM :position::uuid`,
  environments: ({ environmentId }) => [environmentId],
});

/**
 * Records that the next page of a batch failed. It is not tried again before a delay that doubles with each failure,
 * and after {@link MAX_FAILURES} in a row the batch is `failed`. Several workers that fail at the same page count as
 * one failure.
 * @param seen the batch before the page
 */
export async function recordFailedPage(db: Database, seen: ReplayBatchRecord, error: unknown): Promise<void> {
  const isGivenUp = seen.failures + 1 >= MAX_FAILURES;
  const waitSeconds = Math.min(MAX_WAIT_SECONDS, 2 ** seen.failures);
  const { id, environmentId, failures, position } = seen;
  const code = codeOf(error);
  await recordFailure(db, { id, environmentId, failures, position, code, isGivenUp, waitSeconds });
}
