import {
  type ChannelKind,
  deriveMessageStatus,
  type JsonObject,
  type MessageStatus,
  type RunStatus,
} from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import { findMessages, type MessageSearch } from './message-search.ts';

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
  /** When the recipient's data was erased: recipient and payload are then empty. */
  readonly erasedAt: Date | null;
  readonly runs: readonly RunSummary[];
}

export interface MessagePage {
  readonly messages: readonly MessageRecord[];
  /** Where the next page begins, when there may be more. */
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
 * A page of an environment's messages, newest first, by keyset: `after` is where the page before ended.
 * `limit` is at most 100. A page can be short, or empty, and yet not be the last: see {@link findMessages}.
 */
export async function listMessages(
  db: Queryable,
  page: MessageSearch & { readonly limit: number },
): Promise<MessagePage> {
  const { ids, nextAfter } = await findMessages(db, page);
  const rows = await db.message.findMany({
    where: { environmentId: page.environmentId, id: { in: [...ids] } },
    include: WITH_RUNS,
    orderBy: { id: 'desc' },
  });
  return { messages: rows.map(toMessage), nextAfter };
}
