import type { UnboundDatabase } from '../client.ts';

/** If no worker was recorded for longer than this, in seconds, there was none. */
const GAP_SECONDS = 60;
/** How often all workers together extend the current interval at most, in seconds. */
const STEP_SECONDS = 10;
/** How many intervals are kept. Without the older ones, runs wait longer. */
const MAX_INTERVALS = 200;

/** Records that there is a worker. Every worker calls it again and again; it writes every {@link STEP_SECONDS} seconds. */
export async function recordPresence(db: UnboundDatabase): Promise<void> {
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
