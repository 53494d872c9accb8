import {
  CHANNEL_STATES,
  type ChannelHealth,
  type ChannelRecord,
  type ChannelState,
  type ConfiguredKinds,
  channelForAudit,
  channelOptionsOf,
  channelStateOf,
  type FailurePolicy,
  failurePolicyOf,
  formatId,
  HEALTHY,
  type JsonObject,
  MAX_CHANNELS_PER_ENVIRONMENT,
  NEED_ACTION,
  NO_FACTS,
  type OnExhausted,
  type Ordering,
  type RetryPolicy,
  UUID_FORM,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Channel as ChannelRow } from '../generated/client.ts';
import { fittingPage, jsonBytes, measureRows, type Page, type PageRequest, pageOf } from '../pages.ts';
import { findNeedyChannels, readActivity, readStateFacts } from '../statements/channel-state.ts';
import { auditRecorderOf } from '../transactions/audit.ts';
import { countedEach, readHealth } from './health.ts';
import { readSenderStates } from './sender-states.ts';

/** Converts a row to a record, without its secrets. */
export function toChannelRecord(row: ChannelRow, health: ChannelHealth = HEALTHY): ChannelRecord {
  const { id, environmentId, consumerId, kind, disabledReason, createdAt, updatedAt } = row;
  return {
    ...channelOptionsOf(row),
    retry: row.retry as RetryPolicy,
    filter: row.filter as JsonObject | null,
    ordering: row.ordering as Ordering,
    onExhausted: row.onExhausted as OnExhausted,
    failurePolicy: failurePolicyOf(row.failurePolicy as Partial<FailurePolicy> | null),
    kind,
    config: row.config as JsonObject,
    id,
    environmentId,
    consumerId,
    disabledReason,
    createdAt,
    updatedAt,
    health,
    hasSecret: row.sealedSecret !== null,
    credentials: Object.keys((row.sealedCredentials ?? {}) as JsonObject).sort(),
    previousSecretExpiresAt: row.previousSecretExpiresAt,
    hasFeedbackToken: row.feedbackTokenHash !== null,
  };
}

/** Writes a change of a channel to the audit log. */
export const recordChannel = auditRecorderOf(
  ({ id, environmentId }: ChannelRecord) => ({ resourceId: formatId('chn', id), environmentId }),
  (channel, { kinds }: { readonly kinds: ConfiguredKinds }) => channelForAudit(channel, kinds),
);

/** Blocked ordering keys that are counted for a channel. */
const MAX_COUNTED_KEYS = 1_000;

/** Converts rows to records, with their health and the states of their mail accounts. */
async function withHealth(db: Queryable, rows: readonly ChannelRow[]): Promise<ChannelRecord[]> {
  const ids = rows.map(({ id }) => id);
  const health = await readHealth(db, ids);
  const states = await readSenderStates(db, ids);
  return rows.map((row) => ({
    ...toChannelRecord(row, health.get(row.id)),
    senderStates: states.get(row.id) ?? [],
  }));
}

/** Adds what decides about the states of channels, and what they have done lately. */
async function withStates(db: Queryable, channels: readonly ChannelRecord[]): Promise<ChannelRecord[]> {
  const ids = channels.map(({ id }) => id);
  const facts = await readStateFacts(db, ids, countedEach(MAX_COUNTED_KEYS, ids.length));
  const activity = await readActivity(db, ids);
  return channels.map((channel) => {
    const [known, recent] = [facts.get(channel.id), activity.get(channel.id)];
    return {
      ...channel,
      ...(known && { facts: known }),
      ...(recent && { activity: recent }),
    };
  });
}

/** The channel with its state, for a response: a {@link LockedChannel} has none, because reading it takes long. */
export async function withState(db: Queryable, channel: ChannelRecord): Promise<ChannelRecord> {
  const [presentable = channel] = await withStates(db, [channel]);
  return presentable;
}

/** The channel with this UUID; null if it does not exist or is deleted. */
export async function readChannel(db: Queryable, id: string): Promise<ChannelRecord | null> {
  const row = await db.channel.findFirst({ where: { id, deletedAt: null } });
  if (!row) return null;
  const [channel = null] = await withHealth(db, [row]);
  return channel && withState(db, channel);
}

/** A channel that a transaction has locked, without its state. */
export interface LockedChannel {
  readonly channel: ChannelRecord;
  readonly row: ChannelRow;
}

/**
 * Like {@link readChannel}, and prevents changes and deletion until the transaction ends. New runs can still refer to
 * the channel.
 */
export async function lockChannel(tx: Queryable, id: string): Promise<LockedChannel | null> {
  await tx.$queryRaw`SELECT FROM channels WHERE id = ${id}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  const row = await tx.channel.findFirst({ where: { id, deletedAt: null } });
  if (!row) return null;
  const [channel = toChannelRecord(row)] = await withHealth(tx, [row]);
  return { channel, row };
}

const SIZE = measureRows(
  'channels',
  `${jsonBytes('config')} + ${jsonBytes('filter')} + ${jsonBytes('event_keys')}`,
);

interface ChannelsQuery extends PageRequest {
  readonly environmentId: string;
  readonly consumerId?: string | null;
  /** Only those that are, or are not. */
  readonly operational?: boolean;
  /** Newest first by default; by state: those that need somebody first. */
  readonly order?: 'newest' | 'state' | undefined;
  /** Only those that are failing, paused or blocked, also of consumers; see {@link findNeedyChannels}. */
  readonly needsAction?: boolean;
}

/** A position in a list by state: the place of the state in its order, and the UUID of the channel. Other lists have the UUID. */
const POSITION = new RegExp(`^(?:(?<rank>\\d)\\.)?(?<id>${UUID_FORM})$`);
export const isChannelPosition = (text: string): boolean => POSITION.test(text);

interface Listed {
  readonly id: string;
  readonly rank?: number;
}

const positionOf = ({ rank, id }: Listed) => (rank === undefined ? id : `${rank}.${id}`);

function positionAt(after: string | null): Listed | null {
  const { rank, id } = POSITION.exec(after ?? '')?.groups ?? {};
  if (id === undefined) return null;
  return rank === undefined ? { id } : { rank: Number(rank), id };
}

/** The order by state: those that need somebody first, and the newest first in each state. */
const compare = ({ rank = 0, id }: Listed, other: Listed) =>
  rank - (other.rank ?? 0) || (id < other.id ? 1 : id === other.id ? 0 : -1);

/** The page of these channels by state, of `states` alone. */
async function byState(
  db: Queryable,
  ids: readonly string[],
  { after, limit }: PageRequest,
  states: readonly ChannelState[] = CHANNEL_STATES,
): Promise<Page<Listed>> {
  const rows = await db.channel.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, enabled: true },
  });
  const health = await readHealth(db, ids);
  const facts = await readStateFacts(db, ids, 1);
  const last = positionAt(after);
  const behind = rows
    .map(({ id, enabled }) => {
      const state = channelStateOf({ enabled, health: health.get(id) ?? HEALTHY }, facts.get(id) ?? NO_FACTS);
      return { id, rank: states.indexOf(state.code) };
    })
    .filter((channel) => channel.rank >= 0 && (last === null || compare(channel, last) > 0))
    .sort(compare);
  return pageOf(behind, limit, positionOf);
}

/** The channels of a page. By state all of the list are read: at most as many as an environment can have, or need action. */
async function findPage(db: Queryable, query: ChannelsQuery): Promise<Page<Listed>> {
  const { environmentId, consumerId = null, operational, order = 'newest', after, limit } = query;
  if (query.needsAction) {
    const needy = await findNeedyChannels(db, { environmentId, withOperational: operational !== false });
    return byState(db, needy, query, NEED_ACTION);
  }
  const isByState = order === 'state';
  const last = isByState ? null : positionAt(after);
  const found = await db.channel.findMany({
    where: {
      environmentId,
      consumerId,
      deletedAt: null,
      ...(operational === undefined ? {} : { operational }),
      ...(last && { id: { lt: last.id } }),
    },
    select: { id: true },
    orderBy: { id: 'desc' },
    take: isByState ? MAX_CHANNELS_PER_ENVIRONMENT : limit + 1,
  });
  if (!isByState) return pageOf(found, limit, positionOf);
  return byState(
    db,
    found.map(({ id }) => id),
    query,
  );
}

/** The channels of a consumer, or of the environment itself. A page ends before they exceed its size. */
export async function listChannels(db: Queryable, query: ChannelsQuery): Promise<Page<ChannelRecord>> {
  const page = await fittingPage(await findPage(db, query), (asked) => SIZE(db, asked), positionOf);
  const ids = page.rows.map(({ id }) => id);
  const rows = await db.channel.findMany({ where: { id: { in: ids } } });
  const inOrder = rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  return { rows: await withStates(db, await withHealth(db, inOrder)), nextAfter: page.nextAfter };
}
