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
import { Prisma, type Queryable } from '../client.ts';
import type { Channel as ChannelRow } from '../generated/client.ts';
import { firstThatFit, jsonBytes, type Measured, type Page, type PageRequest, pageOf } from '../pages.ts';
import { readHealth } from './health.ts';
import { readSenderStates } from './sender-states.ts';

/** Converts a row to a record, without its secrets. */
export function toChannelRecord(row: ChannelRow, health: ChannelHealth = HEALTHY): ChannelRecord {
  const { id, environmentId, name, enabled, disabledReason, eventKeys, createdAt, updatedAt } = row;
  return {
    ...{ kind: row.kind, config: row.config as JsonObject },
    ...{
      id,
      environmentId,
      consumerId: row.consumerId,
      name,
      enabled,
      disabledReason,
      eventKeys,
      createdAt,
      updatedAt,
    },
    retry: row.retry as RetryPolicy,
    filter: row.filter as JsonObject | null,
    failurePolicy: failurePolicyOf(row.failurePolicy as Partial<FailurePolicy> | null),
    operational: row.operational,
    operationalEmail: row.operationalEmail,
    publicOnly: row.publicOnly,
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

const SIZE: Measured = {
  table: Prisma.sql`channels`,
  condition: Prisma.sql`true`,
  bytes: Prisma.join([jsonBytes('config'), jsonBytes('filter'), jsonBytes('event_keys')], ' + '),
};

/** The channels of a consumer, or of the environment itself, newest first; with `operational` only those that are, or are not. A page ends before they exceed its size. */
export async function listChannels(
  db: Queryable,
  {
    environmentId,
    consumerId = null,
    operational,
    after,
    limit,
  }: PageRequest & {
    readonly environmentId: string;
    readonly consumerId?: string | null;
    readonly operational?: boolean;
  },
): Promise<Page<ChannelRecord>> {
  const found = await db.channel.findMany({
    where: {
      environmentId,
      consumerId,
      deletedAt: null,
      ...(operational === undefined ? {} : { operational }),
      ...(after === null ? {} : { id: { lt: after } }),
    },
    select: { id: true },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = pageOf(found, limit, ({ id }) => id);
  const all = page.rows.map(({ id }) => id);
  const ids = await firstThatFit(db, all, SIZE);
  const rows = await db.channel.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'desc' } });
  return {
    rows: await presentable(db, rows),
    nextAfter: ids.length < all.length ? (ids.at(-1) ?? null) : page.nextAfter,
  };
}
