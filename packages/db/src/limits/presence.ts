import { Prisma, type UnboundDatabase } from '../client.ts';

/** Workers that were not seen for longer than this were away, in seconds. */
const GAP_SECONDS = 60;
/** How often the present interval is written at most, in seconds, by all workers together. */
const STEP_SECONDS = 10;
/** Intervals that are kept. With those that are forgotten, runs wait longer. */
const MAX_INTERVALS = 200;

/** Notes that there is a worker. Every worker calls it once a second or so; it writes every {@link STEP_SECONDS} seconds. */
export async function notePresence(db: UnboundDatabase): Promise<void> {
  await db.$executeRaw`
    WITH extended AS (
      UPDATE worker_presence SET seen_at = now()
       WHERE began_at = (SELECT max(began_at) FROM worker_presence)
         AND seen_at BETWEEN now() - make_interval(secs => ${GAP_SECONDS}::int)
                         AND now() - make_interval(secs => ${STEP_SECONDS}::int)
    ), forgotten AS (
      DELETE FROM worker_presence WHERE began_at <= (
        SELECT began_at FROM worker_presence ORDER BY began_at DESC OFFSET ${MAX_INTERVALS}::int LIMIT 1)
    )
    INSERT INTO worker_presence (began_at, seen_at)
    SELECT now(), now()
     WHERE NOT EXISTS (
       SELECT FROM worker_presence WHERE seen_at >= now() - make_interval(secs => ${GAP_SECONDS}::int))
    ON CONFLICT (began_at) DO NOTHING`;
}

/**
 * SQL of the time since which there were workers for `seconds` (SQL) altogether; null if they were there for less. What was due
 * before could be taken for as long as that, whatever outages lie in between.
 */
export function presentSince(seconds: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT seen_at - make_interval(secs => ${seconds} - later) FROM (
      SELECT began_at, seen_at, length, sum(length) OVER (ORDER BY began_at DESC) - length AS later FROM (
        SELECT began_at, seen_at, extract(epoch FROM seen_at - began_at)::float8 AS length FROM worker_presence) present) summed
     WHERE later + length >= ${seconds} ORDER BY began_at DESC LIMIT 1)`;
}
