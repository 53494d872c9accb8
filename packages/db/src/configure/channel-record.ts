import {
  type ChannelKind,
  concealWebhookUrl,
  DEFAULT_ATTEMPT_TIMEOUT_MS,
  type EmailConfig,
  formatId,
  formatOptionalTime,
  formatTime,
  type JsonObject,
  type RetryPolicy,
  type WebhookConfig,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Channel as ChannelRow } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from './change.ts';

/** Where a channel leads: its kind and the config of that kind, without any secret. */
export type ChannelTarget =
  | { readonly kind: Extract<ChannelKind, 'webhook'>; readonly config: WebhookConfig }
  | { readonly kind: Extract<ChannelKind, 'email'>; readonly config: EmailConfig };

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
    /** Whether an SMTP password is stored; false for a webhook. */
    readonly hasPassword: boolean;
    /** Until when the secret before the last rotation signs too; past until the sweeper has erased it. */
    readonly previousSecretExpiresAt: Date | null;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };

/** A row as a record, without what is sealed. */
export function toChannelRecord(row: ChannelRow): ChannelRecord {
  const { id, environmentId, name, enabled, disabledReason, eventKeys, createdAt, updatedAt } = row;
  return {
    ...({ kind: row.kind, config: row.config } as ChannelTarget),
    ...{ id, environmentId, name, enabled, disabledReason, eventKeys, createdAt, updatedAt },
    retry: row.retry as RetryPolicy,
    hasPassword: row.kind === 'email' && row.sealedSecret !== null,
    previousSecretExpiresAt: row.previousSecretExpiresAt,
  };
}

function presentConfig(channel: ChannelTarget): JsonObject {
  if (channel.kind === 'webhook') {
    const { url, headers = {}, timeout_ms = DEFAULT_ATTEMPT_TIMEOUT_MS.webhook } = channel.config;
    return { url, headers: { ...headers }, timeout_ms };
  }
  const { smtp, from, reply_to = null, timeout_ms = DEFAULT_ATTEMPT_TIMEOUT_MS.email } = channel.config;
  const { host, port, secure = false, username = null } = smtp;
  return {
    smtp: { host, port, secure, username },
    from: { email: from.email, name: from.name ?? null },
    reply_to,
    timeout_ms,
  };
}

/** A channel as the API presents it: docs/specification.md, "Channels". */
export function presentChannel(channel: ChannelRecord): JsonObject {
  return {
    id: formatId('chn', channel.id),
    environment_id: formatId('env', channel.environmentId),
    kind: channel.kind,
    name: channel.name,
    enabled: channel.enabled,
    disabled_reason: channel.disabledReason,
    event_keys: [...channel.eventKeys],
    config: presentConfig(channel),
    retry: { ...channel.retry },
    password_set: channel.hasPassword,
    previous_secret_expires_at: formatOptionalTime(channel.previousSecretExpiresAt),
    created_at: formatTime(channel.createdAt),
    updated_at: formatTime(channel.updatedAt),
  };
}

/** Stands in the audit log for the value of a header: it may be a password of the receiver's. */
const HIDDEN = '(not kept)';

/**
 * A channel as the audit log keeps it: as {@link presentChannel} shows it, without the values of its headers, and
 * without what may be a secret in its URL.
 */
export function channelForAudit(channel: ChannelRecord): JsonObject {
  const presented = presentChannel(channel);
  if (channel.kind !== 'webhook') return presented;
  const names = Object.keys(channel.config.headers ?? {});
  const headers = Object.fromEntries(names.map((name) => [name, HIDDEN]));
  const url = concealWebhookUrl(channel.config.url);
  return { ...presented, config: { ...presentConfig(channel), url, headers } };
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
