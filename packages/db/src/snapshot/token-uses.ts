import { Prisma, type UnboundDatabase } from '../client.ts';

/** Rows of one UPDATE: a few milliseconds of work. */
const BATCH = 1_000;

/** The tables whose rows know when they were last used, with the column. */
const COLUMNS = {
  tokens: 'last_used_at',
  operator_tokens: 'last_used_at',
  operators: 'last_seen_at',
} as const;
type UsedTable = keyof typeof COLUMNS;

/** Notes that the row with this UUID was used. */
export type RecordUse = (table: UsedTable, id: string) => void;

export interface TokenUses {
  readonly record: RecordUse;
  /**
   * Writes recorded uses. Rejects if PostgreSQL fails; unwritten uses are kept for the next time. A call during another
   * one waits for it and writes what was recorded meanwhile, so nothing is missing after the last call.
   */
  readonly flush: () => Promise<void>;
}

/**
 * Collects in memory when tokens and operators were last used, with a precision of a minute by the database's clock, and
 * as late as the caller's flushes. Only existing rows are recorded, so memory grows with the tokens in use.
 * @param monotonicMs monotonic milliseconds
 */
export function createTokenUses({
  db,
  monotonicMs = () => performance.now(),
}: {
  db: UnboundDatabase;
  monotonicMs?: () => number;
}): TokenUses {
  const tables = Object.keys(COLUMNS) as UsedTable[];
  const usedAt = Object.fromEntries(tables.map((table) => [table, new Map()])) as Record<
    UsedTable,
    Map<string, number>
  >;
  let last: Promise<void> = Promise.resolve();

  async function write(table: UsedTable): Promise<void> {
    const uses = [...usedAt[table]].sort(([one], [other]) => (one < other ? -1 : 1));
    usedAt[table] = new Map();
    try {
      while (uses.length > 0) {
        await writeBatch(db, table, uses.slice(0, BATCH), monotonicMs());
        uses.splice(0, BATCH);
      }
    } finally {
      for (const [id, at] of uses) usedAt[table].set(id, usedAt[table].get(id) ?? at);
    }
  }

  async function writeAll(): Promise<void> {
    for (const table of tables) await write(table);
  }

  return {
    record: (table, id) => {
      usedAt[table].set(id, monotonicMs());
    },
    flush() {
      // The last caller gets the error.
      last = last.catch(() => undefined).then(writeAll);
      return last;
    },
  };
}

/**
 * Rows are locked in the order of their ids, so that concurrent processes do not deadlock. A minute that is already
 * stored is not written again.
 */
async function writeBatch(
  db: UnboundDatabase,
  table: UsedTable,
  uses: readonly (readonly [id: string, at: number])[],
  now: number,
): Promise<void> {
  const ids = uses.map(([id]) => id);
  const ages = uses.map(([, at]) => Math.max(0, now - at) / 1_000);
  const rows = Prisma.raw(table);
  const column = Prisma.raw(COLUMNS[table]);
  await db.$executeRaw`
    WITH uses AS (
      SELECT id, date_trunc('minute', now() - make_interval(secs => age)) AS used_at
        FROM unnest(${ids}::uuid[], ${ages}::float8[]) AS use (id, age)
    ), locked AS (
      SELECT used.id, uses.used_at FROM ${rows} AS used JOIN uses ON uses.id = used.id
       WHERE used.${column} IS NULL OR used.${column} < uses.used_at
       ORDER BY used.id FOR NO KEY UPDATE OF used
    )
    UPDATE ${rows} AS used SET ${column} = GREATEST(used.${column}, locked.used_at)
      FROM locked WHERE used.id = locked.id`;
}
