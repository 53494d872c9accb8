import {
  type ChannelHealth,
  type ChannelRecord,
  type FailurePolicy,
  failurePolicyOf,
  HEALTHY,
  type JsonObject,
  type OnExhausted,
  type Ordering,
  type RetryPolicy,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { readSenderStates } from '../deliver/sender-states.ts';
import type { Channel as ChannelRow } from '../generated/client.ts';
import { readHealth } from '../health/read.ts';
import { type Page, type PageRequest, pageOf } from './change.ts';

/** Converts a row to a record, without its secrets. */
export function toChannelRecord(row: ChannelRow, health: ChannelHealth = HEALTHY): ChannelRecord {
  const { id, environmentId, name, enabled, disabledReason, eventKeys, createdAt, updatedAt } = row;
  return {
    ...{ kind: row.kind, config: row.config as JsonObject },
    ...{ id, environmentId, name, enabled, disabledReason, eventKeys, createdAt, updatedAt },
    retry: row.retry as RetryPolicy,
    filter: row.filter as JsonObject | null,
    failurePolicy: failurePolicyOf(row.failurePolicy as Partial<FailurePolicy> | null),
    operational: row.operational,
    operationalEmail: row.operationalEmail,
    ordering: row.ordering as Ordering,
    onExhausted: row.onExhausted as OnExhausted,
    maxPerSecond: row.maxPerSecond,
    maxInFlight: row.maxInFlight,
    health,
    hasSecret: row.sealedSecret !== null,
    credentials: Object.keys((row.sealedCredentials ?? {}) as JsonObject).sort(),
    previousSecretExpiresAt: row.previousSecretExpiresAt,
    hasFeedbackToken: row.feedbackTokenHash !== null,
  };
}

/** Converts rows to records, with their health and the states of their senders. */
async function presentable(db: Queryable, rows: readonly ChannelRow[]): Promise<ChannelRecord[]> {
  const ids = rows.map(({ id }) => id);
  const health = await readHealth(db, ids);
  const states = await readSenderStates(db, ids);
  return rows.map((row) => ({
    ...toChannelRecord(row, health.get(row.id)),
    senderStates: states.get(row.id) ?? [],
  }));
}

/** The channel with this UUID; null if it does not exist or is deleted. */
export async function readChannel(db: Queryable, id: string): Promise<ChannelRecord | null> {
  const row = await db.channel.findFirst({ where: { id, deletedAt: null } });
  if (!row) return null;
  const [channel = null] = await presentable(db, [row]);
  return channel;
}

/** A channel that a transaction has locked. */
export interface LockedChannel {
  readonly channel: ChannelRecord;
  readonly row: ChannelRow;
  /** UUID. */
  readonly tenantId: string;
}

/**
 * Like {@link readChannel}, and prevents changes and deletion until the transaction ends. New runs can still refer to
 * the channel.
 */
export async function lockChannel(tx: Queryable, id: string): Promise<LockedChannel | null> {
  await tx.$queryRaw`SELECT FROM channels WHERE id = ${id}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  const row = await tx.channel.findFirst({ where: { id, deletedAt: null } });
  if (!row) return null;
  const { tenantId } = await tx.environment.findUniqueOrThrow({ where: { id: row.environmentId } });
  const [channel = toChannelRecord(row)] = await presentable(tx, [row]);
  return { channel, row, tenantId };
}

/** The channels of an environment, newest first. */
export async function listChannels(
  db: Queryable,
  { environmentId, after, limit }: PageRequest & { readonly environmentId: string },
): Promise<Page<ChannelRecord>> {
  const rows = await db.channel.findMany({
    where: { environmentId, deletedAt: null, ...(after === null ? {} : { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  return pageOf(await presentable(db, rows), limit, ({ id }) => id);
}
