import type { UnboundDatabase } from '../client.ts';

/** Rows of one UPDATE: a few milliseconds of work. */
const BATCH = 1_000;

export interface TokenUses {
  /** Records a token use in memory. */
  readonly record: (tokenId: string) => void;
  /**
   * Writes recorded uses to `last_used_at`. Rejects if PostgreSQL fails; unwritten uses are kept for the next time. A
   * call during another one waits for it and writes what was recorded meanwhile, so nothing is missing after the last
   * call.
   */
  readonly flush: () => Promise<void>;
}

/**
 * Collects in memory when tokens were last used, for `last_used_at`: with a precision of a minute by the database's
 * clock, and as late as the caller's flushes. Only existing tokens are recorded, so memory grows with the tokens in
 * use.
 * @param monotonicNow monotonic milliseconds
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
    record: (tokenId) => {
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
 * Rows are locked in the order of their ids, so that concurrent processes do not deadlock. A minute that is already
 * stored is not written again.
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
