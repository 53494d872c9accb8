import { setTimeout as wait } from 'node:timers/promises';
import { BatcherOverloadedError, createBatcher } from './batcher.ts';
import type { AnyClient } from './client.ts';

/** A clock that follows the database. */
export interface DatabaseClock {
  /** The database's time in whole milliseconds: never ahead of it, and behind by at most a short round trip. */
  read(): Promise<Date>;
  /** Makes the next reading query the database. */
  forget(): void;
}

/** Within this time two clocks diverge by half a millisecond at most: NTP slews by 500 ppm (RFC 5905, section 11.3). */
const READ_EVERY_MS = 1_000;
/** A response with a longer round trip is too imprecise and is not reused. */
const MAX_ROUND_TRIP_MS = 20;
/** After this time a query is repeated on another connection: the first may be dead, and all readings wait for it. */
const REPEAT_AFTER_MS = 1_000;

/** The database's time in milliseconds since the epoch, and when the response arrived. */
interface Answer {
  readonly time: number;
  readonly at: number;
}

/** Continues the database's time by the monotonic clock. The result is in whole milliseconds. */
export const continued =
  ({ time, at }: Answer, monotonicMs: () => number) =>
  (): Date =>
    new Date(time + Math.floor(monotonicMs() - at));

async function ask(db: AnyClient): Promise<number> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (!row) throw new Error('PostgreSQL returned no time');
  return row.now.getTime();
}

/** The first answer. Only a query that is overdue is repeated, not one that fails. */
async function queryTime(db: AnyClient): Promise<number> {
  const answered = new AbortController();
  const first = ask(db);
  const second = wait(REPEAT_AFTER_MS, undefined, { signal: answered.signal }).then(() => ask(db));
  try {
    return await Promise.race([first, second.catch(() => first)]);
  } finally {
    answered.abort();
  }
}

/**
 * Creates a clock that queries PostgreSQL at most once a second and uses a monotonic clock in between. Process
 * clocks are not used. Readings without a recent answer share the next query that starts.
 * @param monotonicMs milliseconds since any fixed time
 */
export function createDatabaseClock(db: AnyClient, monotonicMs = () => performance.now()): DatabaseClock {
  let lastAnswer: Answer | null = null;
  let timesForgotten = 0;

  function recentTime(): Date | null {
    if (!lastAnswer || monotonicMs() - lastAnswer.at >= READ_EVERY_MS) return null;
    return continued(lastAnswer, monotonicMs)();
  }

  async function readOnce(): Promise<Date> {
    // The query before this one may have returned a recent time.
    const recent = recentTime();
    if (recent) return recent;
    const forgotten = timesForgotten;
    const askedAt = monotonicMs();
    const time = await queryTime(db);
    const at = monotonicMs();
    if (at - askedAt <= MAX_ROUND_TRIP_MS && forgotten === timesForgotten) lastAnswer = { time, at };
    return new Date(time);
  }

  const readTogether = createBatcher<null, Date>(
    async (readings) => {
      const time = await readOnce();
      return readings.map(() => time);
    },
    { maxItems: Number.POSITIVE_INFINITY, maxInFlight: 1 },
  );

  return {
    read: async () => recentTime() ?? readTogether(null),
    forget() {
      lastAnswer = null;
      timesForgotten += 1;
    },
  };
}

/**
 * Runs `work` with the database's time, and once more with a new time if the outcome is `untimely`.
 * @throws BatcherOverloadedError if it is untimely again
 */
export async function dated<Outcome extends { readonly outcome: string }>(
  clock: DatabaseClock,
  work: (now: Date) => Promise<Outcome>,
): Promise<Exclude<Outcome, { readonly outcome: 'untimely' }>> {
  type Timely = Exclude<Outcome, { readonly outcome: 'untimely' }>;
  const isTimely = (outcome: Outcome): outcome is Timely => outcome.outcome !== 'untimely';
  const first = await work(await clock.read());
  if (isTimely(first)) return first;
  clock.forget();
  const again = await work(await clock.read());
  if (isTimely(again)) return again;
  throw new BatcherOverloadedError();
}
