import type { UnboundDatabase } from '../client.ts';

/** Days for which figures are kept. */
const MINUTES_DAYS = 2;
const HOURS_DAYS = 400;

export interface Folded {
  readonly rows: number;
  /** The last of them, after which a round goes on. */
  readonly last: bigint;
}

/**
 * Adds up to `limit` counted rows to the figures by minute and by hour. Several sweepers may call it at once: each takes
 * other rows, and they write the figures in one order.
 * @param after the row behind which to begin. Rows that are folded stay in the index while a long transaction, such as a
 * backup, may see them: one round passes over them once. What is committed late, with an earlier id, is for the next round
 */
export async function foldStats(db: UnboundDatabase, limit: number, after = 0n): Promise<Folded> {
  const [row] = await db.$queryRaw<{ rows: number; last: bigint | null }[]>`
    WITH taken AS (
      DELETE FROM stats_deltas WHERE id = ANY(ARRAY(
        SELECT id FROM stats_deltas WHERE id > ${after}::int8 ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
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
    SELECT count(*)::int AS rows, max(id) AS last FROM taken`;
  return { rows: row?.rows ?? 0, last: row?.last ?? after };
}

/**
 * Removes up to `limit` figures that are too old: of minutes after two days, of hours after 400; returns how many. Leaves
 * alone what others hold, and so waits for no fold that waits for it.
 */
export function removeOldStats(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM stats WHERE ctid = ANY(ARRAY(
      SELECT stats.ctid FROM (VALUES (60, ${MINUTES_DAYS}::int), (3600, ${HOURS_DAYS}::int)) AS kept (span, days)
        JOIN stats ON span_seconds = kept.span AND start < now() - make_interval(days => kept.days)
       LIMIT ${limit} FOR UPDATE OF stats SKIP LOCKED))`;
}
