import { type ChannelKind, deriveMessageStatus, type MessageStatus, type RunStatus } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import {
  LARGE_MESSAGE_FIELDS,
  type LargeMessageField,
  MESSAGE_FIELDS,
  type StoredFields,
} from '../message-fields.ts';
import { findMessages, type MessageSearch } from './message-search.ts';
import { firstThatFit, jsonBytes, type Measured } from './page-bytes.ts';

export interface RunSummary {
  readonly id: string;
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly status: RunStatus;
  readonly scheduledAt: Date | null;
}

/** A message with a summary of all its runs, oldest first. Ids are UUIDs. */
export interface MessageRecord extends StoredFields {
  readonly id: string;
  readonly status: MessageStatus;
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

/** About what a run's summary has as JSON. */
const RUN_BYTES = 300;

/** The size of an environment's messages as a list shows them, without the columns that it leaves out. */
function sizeOf(environmentId: string, omit: readonly LargeMessageField[]): Measured {
  const columns = LARGE_MESSAGE_FIELDS.filter((field) => !omit.includes(field));
  const runs = Prisma.sql`(
    SELECT count(*) * ${RUN_BYTES}::int FROM delivery_runs run
     WHERE run.environment_id = ${environmentId}::uuid AND run.message_id = messages.id)`;
  return {
    table: Prisma.sql`messages`,
    condition: Prisma.sql`messages.environment_id = ${environmentId}::uuid`,
    bytes: Prisma.join([runs, ...columns.map((field) => jsonBytes(MESSAGE_FIELDS[field].column))], ' + '),
  };
}

/** Fields that were not read. */
const EMPTY = Object.fromEntries(LARGE_MESSAGE_FIELDS.map((field) => [field, {}]));

function toMessage(
  row: Omit<MessageWithRuns, LargeMessageField> & Partial<Pick<MessageWithRuns, LargeMessageField>>,
): MessageRecord {
  const runs = row.runs.map((run) => ({ ...run, status: run.status as RunStatus }));
  return {
    ...({ ...EMPTY, ...row } as Omit<MessageWithRuns, LargeMessageField> & StoredFields),
    status: deriveMessageStatus(runs),
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
 * `limit` is at most 100. A page can be short, or empty, and yet not be the last: see {@link findMessages}. It also ends
 * where the messages get larger than a page may be, see {@link firstThatFit}.
 * @param omit columns that are not read; they are empty objects in the result
 */
export async function listMessages(
  db: Queryable,
  {
    omit = [],
    ...page
  }: MessageSearch & { readonly limit: number; readonly omit?: readonly LargeMessageField[] },
): Promise<MessagePage> {
  const found = await findMessages(db, page);
  const ids = await firstThatFit(db, found.ids, sizeOf(page.environmentId, omit));
  const rows = await db.message.findMany({
    where: { environmentId: page.environmentId, id: { in: [...ids] } },
    include: WITH_RUNS,
    omit: Object.fromEntries(LARGE_MESSAGE_FIELDS.map((field) => [field, omit.includes(field)])),
    orderBy: { id: 'desc' },
  });
  const isCut = ids.length < found.ids.length;
  return { messages: rows.map(toMessage), nextAfter: isCut ? (ids.at(-1) ?? null) : found.nextAfter };
}
