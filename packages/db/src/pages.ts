import type { AnyClient } from './client.ts';
import { ABOVE_ALL_IDS } from './first-id-at.ts';
import { defineStatement } from './statement.ts';

/** A page request; `after` is the last key of the previous page. */
export interface PageRequest {
  readonly after: string | null;
  readonly limit: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The key of the last row if there are more, else null. */
  readonly nextAfter: string | null;
}

/** Makes a page from `limit + 1` rows; the additional row only shows that there are more. */
export function pageOf<Row>(found: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextAfter: found.length > limit && last !== undefined ? keyOf(last) : null };
}

/** The order of a list by UUIDs, and the rows that it reads, see {@link pageOf}. */
interface NewestFirst {
  readonly orderBy: { readonly id: 'desc' };
  readonly take: number;
}

/** Reads a page of rows, newest first. `find` gets the condition on their UUIDs and the rest of the query. */
export async function newestFirst<Row extends { readonly id: string }>(
  { after, limit }: PageRequest,
  find: (id: { readonly lt: string }, query: NewestFirst) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const rows = await find({ lt: after ?? ABOVE_ALL_IDS }, { orderBy: { id: 'desc' }, take: limit + 1 });
  return pageOf(rows, limit, ({ id }) => id);
}

/**
 * The largest page of rows with large columns, in bytes of JSON: a small process can create several at once. A row is
 * smaller than this, so a page has at least one.
 */
export const MAX_PAGE_BYTES = 2 * 1_024 * 1_024;

/** The rows to measure, and the bytes that fit. */
export interface Sized {
  readonly ids: readonly string[];
  readonly maxBytes: number;
}

/** Counts the first of the rows that fit. */
type Measure<Input> = (db: AnyClient, input: Input) => Promise<{ rows: number }[]>;

/**
 * Defines how to measure the rows of a table. PostgreSQL counts and stops when the page is full, so rows that do not fit are neither
 * sent nor decompressed.
 * @param bytes SQL for the size of a row, which can have parameters of its own
 */
export function measureRows(table: 'audit_log' | 'channels' | 'delivery_runs', bytes: string): Measure<Sized>;
export function measureRows<Given extends { readonly environmentId: string }>(
  table: 'messages',
  bytes: string,
): Measure<Sized & Given>;
export function measureRows(table: string, bytes: string): Measure<Sized> {
  return defineStatement<Sized, { rows: number }>({
    text: `
    WITH RECURSIVE asked AS (SELECT :ids::uuid[] AS ids), page (rows, bytes) AS (
      SELECT 0, 0::bigint
       UNION ALL
      SELECT rows + 1, bytes + COALESCE((
               SELECT ${bytes} FROM ${table}
                WHERE ${table === 'messages' ? 'messages.environment_id = :environmentId::uuid AND' : ''}
                      ${table}.id = asked.ids[rows + 1]), 0)
        FROM page, asked
       WHERE rows < cardinality(asked.ids) AND bytes <= :maxBytes::bigint
    )
    SELECT COALESCE(max(rows) FILTER (WHERE bytes <= :maxBytes::bigint), 0) AS rows FROM page`,
  });
}

/**
 * The first rows of a page whose total size is at most {@link MAX_PAGE_BYTES}, and always the first one.
 * @param measure calls one of {@link measureRows}
 * @param keyOf gives the key of the page that begins behind a row
 */
export async function fittingPage<Row extends { readonly id: string }>(
  page: Page<Row>,
  measure: (asked: Sized) => ReturnType<Measure<Sized>>,
  keyOf: (row: Row) => string = ({ id }) => id,
): Promise<Page<Row>> {
  if (page.rows.length <= 1) return page;
  const ids = page.rows.map(({ id }) => id);
  const [measured] = await measure({ ids, maxBytes: MAX_PAGE_BYTES });
  const rows = page.rows.slice(0, Math.max(1, measured?.rows ?? 0));
  const last = rows.at(-1);
  return rows.length < ids.length && last ? { rows, nextAfter: keyOf(last) } : page;
}

/** SQL of the size of a JSON column as text; 0 for null. */
export const jsonBytes = (column: string) => `COALESCE(octet_length(${column}::text), 0)`;
