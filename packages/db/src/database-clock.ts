import type { Queryable } from './client.ts';

/** Tells the database's time in whole milliseconds: never ahead of it, and behind by no more than a round trip. */
export type ReadDatabaseTime = () => Promise<Date>;

/** In so long a time two clocks part by half a millisecond at most: NTP slews by 500 ppm (RFC 5905, section 11.3). */
const READ_EVERY_MS = 1_000;

async function ask(db: Queryable): Promise<number> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (!row) throw new Error('Postgres did not tell the time');
  return row.now.getTime();
}

/**
 * Creates a reader of the database's clock that asks Postgres once a second, and in between counts on from its
 * last answer by a clock of the process that nobody sets. Process clocks decide nothing.
 * @param monotonicNow milliseconds since any fixed time
 */
export function createDatabaseClock(db: Queryable, monotonicNow = () => performance.now()): ReadDatabaseTime {
  let heard: { time: number; at: number } | null = null;

  return async () => {
    if (!heard || monotonicNow() - heard.at >= READ_EVERY_MS) {
      const time = await ask(db);
      heard = { time, at: monotonicNow() };
    }
    return new Date(heard.time + Math.floor(monotonicNow() - heard.at));
  };
}
