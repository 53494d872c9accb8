import {
  type ChannelKind,
  deriveMessageStatus,
  type JsonObject,
  type MessageStatus,
  type RunStatus,
} from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';

export interface RunSummary {
  readonly id: string;
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly status: RunStatus;
  readonly scheduledAt: Date | null;
}

/** A message with a summary of all its runs, oldest first. Ids are UUIDs. */
export interface MessageRecord {
  readonly id: string;
  readonly eventKey: string;
  readonly status: MessageStatus;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
  readonly scheduleAt: Date | null;
  readonly requestId: string | null;
  /** Whether an operator sent it to try a channel; it counts nowhere. */
  readonly test: boolean;
  readonly createdAt: Date;
  readonly runs: readonly RunSummary[];
}

export interface MessageFilter {
  readonly eventKey?: string | undefined;
  readonly status?: MessageStatus | undefined;
  readonly recipientEmail?: string | undefined;
  /** Inclusive. */
  readonly createdAfter?: Date | undefined;
  /** Exclusive. */
  readonly createdBefore?: Date | undefined;
}

export interface MessagePage {
  readonly messages: readonly MessageRecord[];
  /** Id of the last message of this page when there are more. */
  readonly nextAfter: string | null;
}

const WITH_RUNS = {
  runs: {
    include: { channel: { select: { id: true, kind: true, name: true } } },
    orderBy: [{ replay: 'asc' }, { id: 'asc' }],
  },
} satisfies Prisma.MessageInclude;

type MessageWithRuns = Prisma.MessageGetPayload<{ include: typeof WITH_RUNS }>;

function toMessage(row: MessageWithRuns): MessageRecord {
  const runs = row.runs.map((run) => ({ ...run, status: run.status as RunStatus }));
  return {
    ...row,
    status: deriveMessageStatus(runs),
    recipient: row.recipient as JsonObject,
    payload: row.payload as JsonObject,
    runs: runs.map((run) => ({ ...run, channel: { ...run.channel, kind: run.channelKind as ChannelKind } })),
  };
}

/** One message of one environment; null when that environment has none of this id. */
export async function readMessage(
  db: Queryable,
  { environmentId, messageId }: { environmentId: string; messageId: string },
): Promise<MessageRecord | null> {
  const row = await db.message.findUnique({
    where: { environmentId_id: { environmentId, id: messageId } },
    include: WITH_RUNS,
  });
  return row && toMessage(row);
}

/**
 * The smallest UUIDv7 of a millisecond: message ids carry the time of their creation, so time bounds are id
 * bounds.
 */
function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/** The derived status in SQL, over the runs of the newest replay per channel (contract, section 5). */
const HAS_STATUS = {
  pending: Prisma.sql`bool_or(NOT terminal)`,
  delivered: Prisma.sql`bool_and(status = 'succeeded')`,
  cancelled: Prisma.sql`bool_and(status = 'cancelled')`,
  partially_delivered: Prisma.sql`bool_and(terminal) AND bool_or(status = 'succeeded') AND NOT bool_and(status = 'succeeded')`,
  failed: Prisma.sql`bool_and(terminal) AND bool_or(status = 'failed') AND NOT bool_or(status = 'succeeded')`,
} satisfies Record<MessageStatus, Prisma.Sql>;

/**
 * A run that every message of the status must have, so that an index can lead the search for the rare ones.
 */
const IMPLIED_RUN: Partial<Record<MessageStatus, Prisma.Sql>> = {
  failed: Prisma.sql`run.status IN ('failed', 'cancelled')`,
  cancelled: Prisma.sql`run.status IN ('failed', 'cancelled')`,
  partially_delivered: Prisma.sql`run.status IN ('failed', 'cancelled')`,
};

function statusConditions(status: MessageStatus): Prisma.Sql[] {
  const implied = IMPLIED_RUN[status];
  const conditions = implied
    ? [
        Prisma.sql`EXISTS (SELECT FROM delivery_runs run
          WHERE run.environment_id = message.environment_id AND run.message_id = message.id AND ${implied})`,
      ]
    : [];
  conditions.push(Prisma.sql`(
    SELECT ${HAS_STATUS[status]} FROM (
      SELECT DISTINCT ON (run.channel_id) run.status, run.status IN ('succeeded', 'failed', 'cancelled') AS terminal
        FROM delivery_runs run
       WHERE run.environment_id = message.environment_id AND run.message_id = message.id
       ORDER BY run.channel_id, run.replay DESC) newest)`);
  return conditions;
}

/**
 * A page of an environment's messages, newest first, by keyset: `after` is the id that the page before ended
 * with. `limit` is at most 100.
 */
export async function listMessages(
  db: Queryable,
  page: { environmentId: string; filter: MessageFilter; after: string | null; limit: number },
): Promise<MessagePage> {
  const { environmentId, filter, after, limit } = page;
  const conditions = [Prisma.sql`message.environment_id = ${environmentId}::uuid`];
  if (after) conditions.push(Prisma.sql`message.id < ${after}::uuid`);
  if (filter.eventKey !== undefined) conditions.push(Prisma.sql`message.event_key = ${filter.eventKey}`);
  if (filter.recipientEmail !== undefined) {
    conditions.push(Prisma.sql`message.recipient_email = ${filter.recipientEmail}`);
  }
  if (filter.createdAfter) conditions.push(Prisma.sql`message.id >= ${firstIdAt(filter.createdAfter)}::uuid`);
  if (filter.createdBefore)
    conditions.push(Prisma.sql`message.id < ${firstIdAt(filter.createdBefore)}::uuid`);
  if (filter.status) conditions.push(...statusConditions(filter.status));
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT message.id FROM messages message
     WHERE ${Prisma.join(conditions, ' AND ')}
     ORDER BY message.id DESC LIMIT ${limit + 1}`;
  const ids = found.slice(0, limit).map((row) => row.id);
  const rows = await db.message.findMany({
    where: { environmentId, id: { in: ids } },
    include: WITH_RUNS,
    orderBy: { id: 'desc' },
  });
  return { messages: rows.map(toMessage), nextAfter: found.length > limit ? (ids.at(-1) ?? null) : null };
}
