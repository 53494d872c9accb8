import { Prisma, type Queryable } from '../client.ts';
import {
  LARGE_MESSAGE_FIELDS,
  type LargeMessageField,
  MESSAGE_FIELDS,
  type StoredFields,
} from '../message-fields.ts';
import { findMessages, type MessageSearch } from './message-search.ts';
import { firstThatFit, jsonBytes, type Measured } from './page-bytes.ts';
import { type RunsOfMessage, readRunsOfMessages, runBytes } from './run-summaries.ts';

/** A message with a summary of its newest runs. Ids are UUIDs. */
export interface MessageRecord extends StoredFields, RunsOfMessage {
  readonly id: string;
  readonly createdAt: Date;
  /** When the recipient's data was erased: recipient and payload are then empty. */
  readonly erasedAt: Date | null;
}

interface MessagePage {
  readonly messages: readonly MessageRecord[];
  /** Where the next page begins, if there may be more. */
  readonly nextAfter: string | null;
}

type MessageRow = Prisma.MessageGetPayload<object>;

/** The size of an environment's messages in a list, without the omitted columns. */
function sizeOf(environmentId: string, omit: readonly LargeMessageField[]): Measured {
  const columns = LARGE_MESSAGE_FIELDS.filter((field) => !omit.includes(field));
  return {
    table: Prisma.sql`messages`,
    condition: Prisma.sql`messages.environment_id = ${environmentId}::uuid`,
    bytes: Prisma.join(
      [runBytes(environmentId), ...columns.map((field) => jsonBytes(MESSAGE_FIELDS[field].column))],
      ' + ',
    ),
  };
}

/** Fields that were not read. */
const EMPTY = Object.fromEntries(LARGE_MESSAGE_FIELDS.map((field) => [field, {}]));

function toMessage(
  row: Omit<MessageRow, LargeMessageField> & Partial<Pick<MessageRow, LargeMessageField>>,
  runs: RunsOfMessage,
): MessageRecord {
  return { ...({ ...EMPTY, ...row } as Omit<MessageRow, LargeMessageField> & StoredFields), ...runs };
}

/** A message of an environment. Null if the environment has none with this id. */
export async function readMessage(
  db: Queryable,
  { environmentId, messageId }: { environmentId: string; messageId: string },
): Promise<MessageRecord | null> {
  const row = await db.message.findUnique({
    where: { environmentId_id: { environmentId, id: messageId } },
  });
  if (!row) return null;
  const runsOf = await readRunsOfMessages(db, { environmentId, messageIds: [messageId] });
  return toMessage(row, runsOf(messageId));
}

/**
 * A page of an environment's messages, newest first; `after` is the last id of the previous page. `limit` is at most
 * 100. A page can be short or empty without being the last, see {@link findMessages}. It also ends before the
 * messages exceed the size of a page, see {@link firstThatFit}.
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
    omit: Object.fromEntries(LARGE_MESSAGE_FIELDS.map((field) => [field, omit.includes(field)])),
    orderBy: { id: 'desc' },
  });
  const runsOf = await readRunsOfMessages(db, { environmentId: page.environmentId, messageIds: ids });
  const isCut = ids.length < found.ids.length;
  return {
    messages: rows.map((row) => toMessage(row, runsOf(row.id))),
    nextAfter: isCut ? (ids.at(-1) ?? null) : found.nextAfter,
  };
}
