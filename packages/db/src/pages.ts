import { Prisma, type Queryable } from './client.ts';
import { compose, type SqlText, sql } from './compose.ts';
import { ABOVE_ALL_IDS } from './first-id-at.ts';

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

/** How to measure rows. */
export interface Measured {
  readonly table: 'audit_log' | 'channels' | 'delivery_runs' | 'messages';
  /** For a table whose key begins with the environment. */
  readonly environmentId?: string;
  /** SQL for the size of a row; it can name the environment. */
  readonly bytes: SqlText;
}

/**
 * The first of these rows whose total size is at most `maxBytes`, and always the first one. PostgreSQL counts and
 * stops when the page is full, so rows that do not fit are neither sent nor decompressed.
 */
export async function firstThatFit(
  db: Queryable,
  ids: readonly string[],
  { table, environmentId, bytes }: Measured,
  maxBytes = MAX_PAGE_BYTES,
): Promise<readonly string[]> {
  if (ids.length <= 1) return ids;
  const name = sql`${Prisma.raw(table)}`;
  // Not `$1 IS NULL OR …`: in a plan for all values that would be no condition of an index.
  const own = environmentId === undefined ? sql`` : sql`${name}.environment_id = :environmentId::uuid AND`;
  const statement = compose(
    sql`
    WITH RECURSIVE asked AS (SELECT :ids::uuid[] AS ids), page (rows, bytes) AS (
      SELECT 0, 0::bigint
       UNION ALL
      SELECT rows + 1, bytes + COALESCE(
               (SELECT ${bytes} FROM ${name} WHERE ${own} ${name}.id = asked.ids[rows + 1]), 0)
        FROM page, asked
       WHERE rows < cardinality(asked.ids) AND bytes <= :maxBytes::bigint
    )
    SELECT COALESCE(max(rows) FILTER (WHERE bytes <= :maxBytes::bigint), 0) AS rows FROM page`,
    { ids, environmentId, maxBytes },
  );
  const [page] = await db.$queryRaw<{ rows: number }[]>(statement);
  return ids.slice(0, Math.max(1, page?.rows ?? 0));
}

/** The first rows of a page that fit, see {@link firstThatFit}. `keyOf` gives the key of the page that begins behind a row. */
export async function fittingPage<Row extends { readonly id: string }>(
  db: Queryable,
  page: Page<Row>,
  size: Measured,
  keyOf: (row: Row) => string = ({ id }) => id,
): Promise<Page<Row>> {
  const all = page.rows.map(({ id }) => id);
  const rows = page.rows.slice(0, (await firstThatFit(db, all, size)).length);
  const last = rows.at(-1);
  return rows.length < all.length && last ? { rows, nextAfter: keyOf(last) } : page;
}

/** The size of a JSON column as text; 0 for null. */
export function jsonBytes(column: string): Prisma.Sql {
  return Prisma.raw(`COALESCE(octet_length(${column}::text), 0)`);
}
