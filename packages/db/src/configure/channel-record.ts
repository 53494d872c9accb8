import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import {
  type ChannelKind,
  formatId,
  formatOptionalTime,
  formatTime,
  type JsonObject,
  type RetryPolicy,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Channel as ChannelRow } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from './change.ts';

/** Where a channel leads: its kind and the stored config of that kind, without any secret. */
export interface ChannelTarget {
  readonly kind: ChannelKind;
  readonly config: JsonObject;
}

/** What of a channel can be changed besides where it leads. */
export interface ChannelOptions {
  readonly name: string;
  readonly enabled: boolean;
  /** Event keys or patterns. */
  readonly eventKeys: readonly string[];
  readonly retry: RetryPolicy;
}

/** A channel that is not deleted. Ids are UUIDs. */
export type ChannelRecord = ChannelOptions &
  ChannelTarget & {
    readonly id: string;
    readonly environmentId: string;
    /** Why the service disabled it by itself. */
    readonly disabledReason: string | null;
    /** Whether a secret is stored, such as the password of an SMTP server. */
    readonly hasSecret: boolean;
    /** Until when the secret before the last rotation signs too; past until the sweeper has erased it. */
    readonly previousSecretExpiresAt: Date | null;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };

/** A row as a record, without what is sealed. */
export function toChannelRecord(row: ChannelRow): ChannelRecord {
  const { id, environmentId, name, enabled, disabledReason, eventKeys, createdAt, updatedAt } = row;
  return {
    ...{ kind: row.kind, config: row.config as JsonObject },
    ...{ id, environmentId, name, enabled, disabledReason, eventKeys, createdAt, updatedAt },
    retry: row.retry as RetryPolicy,
    hasSecret: row.sealedSecret !== null,
    previousSecretExpiresAt: row.previousSecretExpiresAt,
  };
}

/** A channel as the API presents it: docs/specification.md, "Channels". */
export function presentChannel(channel: ChannelRecord, kinds: ChannelRegistry = channelKinds): JsonObject {
  const { config, secret } = kinds.get(channel.kind);
  return {
    id: formatId('chn', channel.id),
    environment_id: formatId('env', channel.environmentId),
    kind: channel.kind,
    name: channel.name,
    enabled: channel.enabled,
    disabled_reason: channel.disabledReason,
    event_keys: [...channel.eventKeys],
    config: config.present(channel.config),
    retry: { ...channel.retry },
    password_set: channel.hasSecret && secret?.type === 'given',
    previous_secret_expires_at: formatOptionalTime(channel.previousSecretExpiresAt),
    created_at: formatTime(channel.createdAt),
    updated_at: formatTime(channel.updatedAt),
  };
}

/** A channel as the audit log keeps it: as {@link presentChannel} shows it, with the config that its kind allows there. */
export function channelForAudit(channel: ChannelRecord, kinds: ChannelRegistry = channelKinds): JsonObject {
  const config = kinds.get(channel.kind).config.presentForAudit(channel.config);
  return { ...presentChannel(channel, kinds), config };
}

/** The channel of this UUID, or null; a deleted one is not there. */
export async function readChannel(db: Queryable, id: string): Promise<ChannelRecord | null> {
  const row = await db.channel.findFirst({ where: { id, deletedAt: null } });
  return row && toChannelRecord(row);
}

/**
 * As {@link readChannel}, and keeps others from changing or deleting it until the transaction ends. Runs can
 * still be made for it.
 */
export async function lockChannel(
  tx: Queryable,
  id: string,
): Promise<{ row: ChannelRow; tenantId: string } | null> {
  await tx.$queryRaw`SELECT FROM channels WHERE id = ${id}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  const row = await tx.channel.findFirst({ where: { id, deletedAt: null } });
  if (!row) return null;
  const { tenantId } = await tx.environment.findUniqueOrThrow({ where: { id: row.environmentId } });
  return { row, tenantId };
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
  return pageOf(rows.map(toChannelRecord), limit, ({ id }) => id);
}
