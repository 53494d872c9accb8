import { Prisma } from '../client.ts';

/**
 * Milliseconds by which the time of channel health is ahead of the database's clock: 0, except in tests that let days pass.
 * The times of runs stay those of the database.
 */
export type HealthOffset = number;

/** SQL of the time by which the health of channels goes. */
export function healthNow(offsetMs: HealthOffset): Prisma.Sql {
  return offsetMs === 0
    ? Prisma.sql`now()`
    : Prisma.sql`(now() + make_interval(secs => ${offsetMs}::float8 / 1000))`;
}
