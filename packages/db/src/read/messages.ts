import { type AnyClient, Prisma, type Queryable } from '../client.ts';
import { compose, joined, sql } from '../compose.ts';
import {
  LARGE_MESSAGE_FIELDS,
  type LargeMessageField,
  MESSAGE_FIELDS,
  type ReadFields,
  readColumns,
} from '../message-fields.ts';
import { firstThatFit, jsonBytes, type Measured } from '../pages.ts';
import { environmentScope, scopeOf } from '../scope/scoped-client.ts';
import { findMessages, type MessageSearch } from './message-search.ts';
import { MESSAGE_RUNS_BYTES, type RunsOfMessage, readRunsOfMessages } from './run-summaries.ts';

/** A message with a summary of its newest runs. Ids are UUIDs; recipient and payload are JSON texts. */
export interface MessageRecord extends ReadFields, RunsOfMessage {
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

type MessageRow = Omit<MessageRecord, keyof RunsOfMessage>;

/** The size of an environment's messages in a list, without the omitted columns. */
function sizeOf(environmentId: string, omit: readonly LargeMessageField[]): Measured {
  const columns = LARGE_MESSAGE_FIELDS.filter((field) => !omit.includes(field));
  return {
    table: 'messages',
    environmentId,
    bytes: joined(
      [MESSAGE_RUNS_BYTES, ...columns.map((field) => sql`${jsonBytes(MESSAGE_FIELDS[field].column)}`)],
      ' + ',
    ),
  };
}

/** The messages of an environment with these ids, newest first. */
function readRows(
  db: Queryable,
  { environmentId, ids, omit }: ReadScope & { readonly ids: readonly string[] },
): Promise<MessageRow[]> {
  return db.$queryRaw<MessageRow[]>`
    SELECT id, ${readColumns(omit)}, created_at AS "createdAt", erased_at AS "erasedAt"
      FROM messages WHERE environment_id = ${environmentId}::uuid AND id = ANY (${ids}::uuid[])
     ORDER BY id DESC`;
}

interface ReadScope {
  readonly environmentId: string;
  /** Columns that are not read; they are `{}` in the result. */
  readonly omit?: readonly LargeMessageField[];
}

/** A message of an environment. Null if the environment has none with this id. */
export async function readMessage(
  db: Queryable,
  { environmentId, messageId, omit }: ReadScope & { readonly messageId: string },
): Promise<MessageRecord | null> {
  const [row] = await readRows(db, { environmentId, ids: [messageId], omit: omit ?? [] });
  if (!row) return null;
  const runsOf = await readRunsOfMessages(db, { environmentId, messageIds: [messageId] });
  return { ...row, ...runsOf(messageId) };
}

/**
 * The bytes of a message's record as JSON; 0 if the environment has no such message. PostgreSQL counts them, and sends
 * only the number.
 */
export async function countMessageBytes(
  db: AnyClient,
  { environmentId, messageId }: { readonly environmentId: string; readonly messageId: string },
): Promise<number> {
  const { bytes } = sizeOf(environmentId, []);
  const statement = compose(
    sql`
    SELECT (${bytes})::float8 AS bytes FROM messages
     WHERE messages.environment_id = :environmentId::uuid AND messages.id = :messageId::uuid
    /* environments: :scope */`,
    { environmentId, messageId, scope: scopeOf([environmentId]) },
  );
  const [row] = await db.$queryRaw<{ bytes: number }[]>(statement);
  return row?.bytes ?? 0;
}

/** Like {@link countMessageBytes}, for the message of a run and without its runs. */
export async function countRunMessageBytes(
  db: AnyClient,
  { environmentId, runId }: { readonly environmentId: string; readonly runId: string },
): Promise<number> {
  const columns = LARGE_MESSAGE_FIELDS.map((field) => jsonBytes(MESSAGE_FIELDS[field].column));
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT (${Prisma.join(columns, ' + ')})::float8 AS bytes
      FROM delivery_runs run
      JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id
     WHERE run.environment_id = ${environmentId}::uuid AND run.id = ${runId}::uuid
    ${environmentScope([environmentId])}`;
  return row?.bytes ?? 0;
}

/**
 * A page of an environment's messages, newest first; `after` is the last id of the previous page. `limit` is at most
 * 100. A page can be short or empty without being the last, see {@link findMessages}. It also ends before the
 * messages exceed the size of a page, see {@link firstThatFit}.
 */
export async function listMessages(
  db: Queryable,
  { omit = [], ...page }: MessageSearch & ReadScope & { readonly limit: number },
): Promise<MessagePage> {
  const found = await findMessages(db, page);
  const ids = await firstThatFit(db, found.ids, sizeOf(page.environmentId, omit));
  const rows = await readRows(db, { environmentId: page.environmentId, ids, omit });
  const runsOf = await readRunsOfMessages(db, { environmentId: page.environmentId, messageIds: ids });
  const isCut = ids.length < found.ids.length;
  return {
    messages: rows.map((row) => ({ ...row, ...runsOf(row.id) })),
    nextAfter: isCut ? (ids.at(-1) ?? null) : found.nextAfter,
  };
}
