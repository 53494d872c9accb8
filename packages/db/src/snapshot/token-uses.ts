import type { UnboundDatabase } from '../client.ts';

/** Rows of one UPDATE: a few milliseconds of work. */
const BATCH = 1_000;

export interface TokenUses {
  /** Records a token use in memory. */
  readonly note: (tokenId: string) => void;
  /**
   * Writes what was noted to `last_used_at`. Rejects when Postgres refuses or is out of reach; what is not
   * written is kept for the next time. A call while one is under way waits for that one and writes what was
   * noted meanwhile, so that after the last call nothing is missing.
   */
  readonly flush: () => Promise<void>;
}

/**
 * Collects in memory when tokens were last used, for `last_used_at`: to the minute by the database's clock,
 * and behind by as long as the caller leaves between two flushes. Only tokens that exist are noted, so that
 * memory grows with what is in use.
 * @param monotonicNow milliseconds that only grow
 */
export function createTokenUses({
  db,
  monotonicNow = () => performance.now(),
}: {
  db: UnboundDatabase;
  monotonicNow?: () => number;
}): TokenUses {
  let usedAt = new Map<string, number>();
  let last: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const uses = [...usedAt].sort(([one], [other]) => (one < other ? -1 : 1));
    usedAt = new Map();
    try {
      while (uses.length > 0) {
        await writeBatch(db, uses.slice(0, BATCH), monotonicNow());
        uses.splice(0, BATCH);
      }
    } finally {
      for (const [id, at] of uses) usedAt.set(id, usedAt.get(id) ?? at);
    }
  }

  return {
    note: (tokenId) => {
      usedAt.set(tokenId, monotonicNow());
    },
    flush() {
      // The last caller gets the error.
      last = last.catch(() => undefined).then(write);
      return last;
    },
  };
}

/**
 * Rows are locked in the order of their ids, so that processes that write at once wait for one another and do
 * not deadlock. A minute that is there already is not written again.
 */
async function writeBatch(
  db: UnboundDatabase,
  uses: readonly (readonly [id: string, at: number])[],
  now: number,
): Promise<void> {
  const ids = uses.map(([id]) => id);
  const ages = uses.map(([, at]) => Math.max(0, now - at) / 1_000);
  await db.$executeRaw`
    WITH uses AS (
      SELECT id, date_trunc('minute', now() - make_interval(secs => age)) AS used_at
        FROM unnest(${ids}::uuid[], ${ages}::float8[]) AS use (id, age)
    ), locked AS (
      SELECT tokens.id, uses.used_at FROM tokens JOIN uses ON uses.id = tokens.id
       WHERE tokens.last_used_at IS NULL OR tokens.last_used_at < uses.used_at
       ORDER BY tokens.id FOR NO KEY UPDATE OF tokens
    )
    UPDATE tokens SET last_used_at = GREATEST(tokens.last_used_at, locked.used_at)
      FROM locked WHERE tokens.id = locked.id`;
}
