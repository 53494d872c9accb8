import { Prisma } from '../client.ts';

/**
 * Milliseconds by which the clock of channel health is ahead of the database's clock: 0, except in tests that
 * simulate days. Runs always use the database's clock.
 */
export type HealthOffset = number;

/** SQL of the current time of channel health. */
export function healthNow(offsetMs: HealthOffset): Prisma.Sql {
  return offsetMs === 0
    ? Prisma.sql`now()`
    : Prisma.sql`(now() + make_interval(secs => ${offsetMs}::float8 / 1000))`;
}
