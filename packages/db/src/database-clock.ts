import { BatcherOverloadedError } from './batcher.ts';
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
/** A response with a longer round trip is too imprecise to count on from. */
const MAX_ROUND_TRIP_MS = 20;

/** The database's time in milliseconds since the epoch, and when the response arrived. */
interface Answer {
  readonly time: number;
  readonly at: number;
}

async function ask(db: AnyClient): Promise<number> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (!row) throw new Error('Postgres did not tell the time');
  return row.now.getTime();
}

/**
 * Creates a clock that queries PostgreSQL once a second and counts on with a monotonic clock in between. Process
 * clocks are not used.
 * @param monotonicNow milliseconds since any fixed time
 */
export function createDatabaseClock(db: AnyClient, monotonicNow = () => performance.now()): DatabaseClock {
  let lastAnswer: Answer | null = null;

  const recentAnswer = (now: number) =>
    lastAnswer && now - lastAnswer.at < READ_EVERY_MS ? lastAnswer : null;

  /** Of concurrent responses the latest time counts, so that no reading goes backwards. */
  function keep(answer: Answer): void {
    const last = recentAnswer(answer.at);
    if (!last || answer.time - answer.at > last.time - last.at) lastAnswer = answer;
  }

  return {
    async read() {
      const askedAt = monotonicNow();
      const last = recentAnswer(askedAt);
      if (last) return new Date(last.time + Math.floor(askedAt - last.at));
      const time = await ask(db);
      const at = monotonicNow();
      if (at - askedAt <= MAX_ROUND_TRIP_MS) keep({ time, at });
      return new Date(time);
    },
    forget() {
      lastAnswer = null;
    },
  };
}

/**
 * Runs `work` with the database's time, and once more with a new time if the outcome is `too_late`.
 * @throws BatcherOverloadedError if it is too late again
 */
export async function dated<Outcome extends { readonly outcome: string }>(
  clock: DatabaseClock,
  work: (now: Date) => Promise<Outcome>,
): Promise<Exclude<Outcome, { readonly outcome: 'too_late' }>> {
  type Timely = Exclude<Outcome, { readonly outcome: 'too_late' }>;
  const isTimely = (outcome: Outcome): outcome is Timely => outcome.outcome !== 'too_late';
  const first = await work(await clock.read());
  if (isTimely(first)) return first;
  clock.forget();
  const again = await work(await clock.read());
  if (isTimely(again)) return again;
  throw new BatcherOverloadedError();
}
