import {
  formatId,
  formatOptionalTime,
  formatTime,
  type JsonObject,
  REPLAY_SKIP_REASONS,
  type ReplayBatchReason,
  type ReplayBatchStatus,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type Page, type PageRequest, pageOf } from '../configure/change.ts';
import type { ReplayBatch as ReplayBatchRow } from '../generated/client.ts';
import type { MessageFilter } from '../read/message-search.ts';
import { recipientHash } from '../recipient-hash.ts';
import { type PresentedFilter, presentFilter, toMessageFilter } from './filter.ts';

/** A bulk replay. Ids are UUIDs. */
export interface ReplayBatchRecord {
  readonly id: string;
  readonly environmentId: string;
  readonly status: ReplayBatchStatus;
  /** Why it failed, or goes no further at the moment. */
  readonly reason: ReplayBatchReason | null;
  /** Always with `createdBefore`: what came later than the batch, or came of it, is not part of it. */
  readonly filter: MessageFilter;
  /** The channels to deliver to; null for all that take the event. */
  readonly channelIds: readonly string[] | null;
  readonly messagesPerSecond: number;
  /** Messages that matched when it was created. */
  readonly matched: number;
  readonly matchedIsLowerBound: boolean;
  readonly replayed: number;
  /** Has at least {@link REPLAY_SKIP_REASONS}. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The message up to which it has come, newest first; null before its first page. */
  readonly position: string | null;
  /** State of its pace. */
  readonly pace: number | null;
  /** Pages that failed in a row. */
  readonly failures: number;
  /** Of the last of them; null when the last page did not fail. */
  readonly lastErrorCode: string | null;
  /** When the page that failed is tried again. */
  readonly retryAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

const NOTHING_SKIPPED = Object.fromEntries(REPLAY_SKIP_REASONS.map((reason) => [reason, 0]));

/** A row as a record. An empty list of channels stands for all. */
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

/** A bulk replay as the API presents it. */
export function presentReplayBatch(batch: ReplayBatchRecord): JsonObject {
  return {
    id: formatId('rpb', batch.id),
    environment_id: formatId('env', batch.environmentId),
    status: batch.status,
    reason: batch.reason,
    filter: presentFilter(batch.filter),
    channels: batch.channelIds?.map((id) => formatId('chn', id)) ?? null,
    messages_per_second: batch.messagesPerSecond,
    matched: batch.matched,
    matched_is_lower_bound: batch.matchedIsLowerBound,
    replayed: batch.replayed,
    skipped: { ...batch.skipped },
    position: batch.position && formatId('msg', batch.position),
    failures: batch.failures,
    last_error_code: batch.lastErrorCode,
    retry_at: formatOptionalTime(batch.retryAt),
    created_at: formatTime(batch.createdAt),
    started_at: formatOptionalTime(batch.startedAt),
    completed_at: formatOptionalTime(batch.completedAt),
  };
}

/** A bulk replay as the audit log keeps it for ever: the address in the filter by its hash, see {@link recipientHash}. */
export function auditedReplayBatch(batch: ReplayBatchRecord): JsonObject {
  const { recipientEmail, ...filter } = batch.filter;
  if (recipientEmail === undefined) return presentReplayBatch(batch);
  const recipient_sha256 = recipientHash(batch.environmentId, recipientEmail);
  return { ...presentReplayBatch(batch), filter: { ...presentFilter(filter), recipient_sha256 } };
}

/** The bulk replay of this UUID, or null. */
export async function readReplayBatch(db: Queryable, id: string): Promise<ReplayBatchRecord | null> {
  const row = await db.replayBatch.findUnique({ where: { id } });
  return row && toReplayBatch(row);
}

/** An environment's bulk replays, newest first. */
export async function listReplayBatches(
  db: Queryable,
  { environmentId, after, limit }: PageRequest & { readonly environmentId: string },
): Promise<Page<ReplayBatchRecord>> {
  const rows = await db.replayBatch.findMany({
    where: { environmentId, ...(after === null ? {} : { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  return pageOf(rows.map(toReplayBatch), limit, ({ id }) => id);
}
