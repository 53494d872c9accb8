import type { AnyClient, Queryable } from '../client.ts';
import {
  LARGE_MESSAGE_FIELDS,
  type LargeMessageField,
  MESSAGE_FIELDS,
  type ReadFields,
  readColumns,
} from '../message-fields.ts';
import { fittingPage, jsonBytes, measureRows, type Page } from '../pages.ts';
import { defineStatement } from '../statement.ts';
import { findMessages, type MessageSearch } from './message-search.ts';
import { MESSAGE_RUNS_BYTES, type RunsOfMessage, readRunsOfMessages } from './run-summaries.ts';

/** A message with a summary of its newest runs. Ids are UUIDs; recipient and payload are JSON texts. */
export interface MessageRecord extends ReadFields, RunsOfMessage {
  readonly id: string;
  readonly createdAt: Date;
  /** When the recipient's data was erased: recipient and payload are then empty. */
  readonly erasedAt: Date | null;
}

type MessageRow = Omit<MessageRecord, keyof RunsOfMessage>;

const LARGE_COLUMNS = LARGE_MESSAGE_FIELDS.map((field) => MESSAGE_FIELDS[field].column);
/** SQL of the size of a message in a list, without those of its columns that are `omitted`. */
const LISTED_BYTES = [
  MESSAGE_RUNS_BYTES,
  ...LARGE_COLUMNS.map(
    (column) => `CASE WHEN '${column}' <> ALL (:omitted::text[]) THEN ${jsonBytes(column)} ELSE 0 END`,
  ),
].join(' + ');
const SIZE = measureRows<Pick<MessageKey, 'environmentId'> & { readonly omitted: readonly string[] }>(
  'messages',
  LISTED_BYTES,
);

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

interface MessageKey {
  readonly environmentId: string;
  readonly messageId: string;
}

const measure = defineStatement<MessageKey, { bytes: number }>({
  text: `
    SELECT (${LISTED_BYTES})::float8 AS bytes FROM messages
     WHERE messages.environment_id = :environmentId::uuid AND messages.id = :messageId::uuid`,
  parameters: { omitted: () => [] },
  environments: ({ environmentId }) => [environmentId],
});

/**
 * The bytes of a message's record as JSON; 0 if the environment has no such message. PostgreSQL counts them, and sends
 * only the number.
 */
export async function countMessageBytes(db: AnyClient, message: MessageKey): Promise<number> {
  return (await measure(db, message))[0]?.bytes ?? 0;
}

interface RunKey {
  readonly environmentId: string;
  readonly runId: string;
}

const measureOfRun = defineStatement<RunKey, { bytes: number }>({
  text: `
    SELECT (${LARGE_COLUMNS.map(jsonBytes).join(' + ')})::float8 AS bytes
      FROM delivery_runs run
      JOIN messages ON messages.environment_id = run.environment_id AND messages.id = run.message_id
     WHERE run.environment_id = :environmentId::uuid AND run.id = :runId::uuid`,
  environments: ({ environmentId }) => [environmentId],
});

/** Like {@link countMessageBytes}, for the message of a run and without its runs. */
export async function countRunMessageBytes(db: AnyClient, run: RunKey): Promise<number> {
  return (await measureOfRun(db, run))[0]?.bytes ?? 0;
}

/**
 * A page of an environment's messages, newest first; `after` is the last id of the previous page. `limit` is at most
 * 100. A page can be short or empty without being the last, see {@link findMessages}. It also ends before the
 * messages exceed the size of a page, see {@link fittingPage}.
 */
export async function listMessages(
  db: Queryable,
  { omit = [], ...page }: MessageSearch & ReadScope & { readonly limit: number },
): Promise<Page<MessageRecord>> {
  const found = await findMessages(db, page);
  const { environmentId } = page;
  const omitted = omit.map((field) => MESSAGE_FIELDS[field].column);
  const all = { rows: found.rows.map((id) => ({ id })), nextAfter: found.nextAfter };
  const fitting = await fittingPage(all, (asked) => SIZE(db, { ...asked, environmentId, omitted }));
  const ids = fitting.rows.map(({ id }) => id);
  const rows = await readRows(db, { environmentId, ids, omit });
  const runsOf = await readRunsOfMessages(db, { environmentId, messageIds: ids });
  return { rows: rows.map((row) => ({ ...row, ...runsOf(row.id) })), nextAfter: fitting.nextAfter };
}
