import type { UnboundDatabase } from '../client.ts';

/** Days for which figures are kept. */
const MINUTES_DAYS = 2;
const HOURS_DAYS = 400;

/**
 * Adds up to `limit` counted rows to the figures by minute and by hour, and returns how many. Several sweepers may call it at
 * once: each takes other rows, and they write the figures in one order.
 */
export async function foldStats(db: UnboundDatabase, limit: number): Promise<number> {
  const [row] = await db.$queryRaw<{ folded: number }[]>`
    WITH taken AS (
      DELETE FROM stats_deltas WHERE id = ANY(ARRAY(
        SELECT id FROM stats_deltas ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING *
    ), summed AS (
      SELECT environment_id, span_seconds, to_timestamp(floor(extract(epoch FROM minute) / span_seconds) * span_seconds) AS start,
             channel_id, event_key, error_code, latency_bucket, sum(accepted)::int8 AS accepted,
             sum(delivered)::int8 AS delivered, sum(failed)::int8 AS failed, sum(attempts)::int8 AS attempts
        FROM taken CROSS JOIN unnest(ARRAY[60, 3600]::int[]) AS span (span_seconds)
       GROUP BY 1, 2, 3, 4, 5, 6, 7
    ), added AS (
      INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket,
                         accepted, delivered, failed, attempts)
      SELECT * FROM summed ORDER BY 1, 2, 3, 4, 5, 6, 7
      ON CONFLICT (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket)
      DO UPDATE SET accepted = stats.accepted + EXCLUDED.accepted, delivered = stats.delivered + EXCLUDED.delivered,
                    failed = stats.failed + EXCLUDED.failed, attempts = stats.attempts + EXCLUDED.attempts
    )
    SELECT count(*)::int AS folded FROM taken`;
  return row?.folded ?? 0;
}

/** Removes up to `limit` figures that are too old: of minutes after two days, of hours after 400; returns how many. */
export function removeOldStats(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM stats WHERE ctid = ANY(ARRAY(
      SELECT stats.ctid FROM (VALUES (60, ${MINUTES_DAYS}::int), (3600, ${HOURS_DAYS}::int)) AS kept (span, days)
        JOIN stats ON span_seconds = kept.span AND start < now() - make_interval(days => kept.days)
       LIMIT ${limit}))`;
}
