import { Prisma, type Queryable } from '../client.ts';

/**
 * Bytes of JSON in one answer that lists rows with large columns: several such answers can be made at once in a small
 * process. A row is smaller than this, so a page holds at least one.
 */
export const MAX_PAGE_BYTES = 2 * 1_024 * 1_024;

/** What is counted of rows: as SQL, the table, what its rows must fulfil besides their id, and the size of one. */
export interface Measured {
  readonly table: Prisma.Sql;
  readonly condition: Prisma.Sql;
  readonly bytes: Prisma.Sql;
}

/**
 * The first of these rows whose sizes are at most `maxBytes` together, and always the first one. Postgres counts, and
 * stops where the page is full: what does not fit is neither sent to the process nor unpacked.
 */
export async function firstThatFit(
  db: Queryable,
  ids: readonly string[],
  { table, condition, bytes }: Measured,
  maxBytes = MAX_PAGE_BYTES,
): Promise<readonly string[]> {
  if (ids.length <= 1) return ids;
  const [page] = await db.$queryRaw<{ rows: number }[]>`
    WITH RECURSIVE asked AS (SELECT ${ids}::uuid[] AS ids), page (rows, bytes) AS (
      SELECT 0, 0::bigint
       UNION ALL
      SELECT rows + 1, bytes + COALESCE(
               (SELECT ${bytes} FROM ${table} WHERE ${condition} AND ${table}.id = asked.ids[rows + 1]), 0)
        FROM page, asked
       WHERE rows < cardinality(asked.ids) AND bytes <= ${maxBytes}::bigint
    )
    SELECT COALESCE(max(rows) FILTER (WHERE bytes <= ${maxBytes}::bigint), 0) AS rows FROM page`;
  return ids.slice(0, Math.max(1, page?.rows ?? 0));
}

/** The size of a JSON column as text; 0 for null. */
export function jsonBytes(column: string): Prisma.Sql {
  return Prisma.sql`COALESCE(octet_length(${Prisma.raw(column)}::text), 0)`;
}
