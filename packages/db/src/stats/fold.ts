import { FAILING_DAYS } from '@postrider/domain';
import type { HealthOffset } from '../channels/health.ts';
import { Prisma, type UnboundDatabase } from '../client.ts';
import { observeHealth } from '../health/observe.ts';
import { KEEP_FAILURES } from './failures.ts';

/** Days for which figures by minute are kept. */
const MINUTES_DAYS = 2;
const HOURS_DAYS = 400;

/**
 * The most event keys with their own figures in an environment, because clients choose the keys. Concurrent sweeps
 * may each admit keys up to the limit.
 */
const MAX_STATS_EVENT_KEYS = 1_000;
/** The key of the figures of all other event keys. It is not a valid event key. */
const OTHER_EVENT_KEYS = '(other)';
/** Days without a count after which an event key makes room for another. */
const UNUSED_KEY_DAYS = 30;

interface FoldOptions {
  readonly maxEventKeys?: number;
  readonly healthOffsetMs?: HealthOffset;
}

interface Folded {
  readonly rows: number;
  /** The id of the last row, where the next call continues. */
  readonly last: bigint;
}

/**
 * Adds up to `limit` counted rows to the figures by minute and by hour, and records the health of their channels.
 * Concurrent calls take different rows and write figures in a fixed order.
 * @param after id of the last row of the previous call. Folded rows stay in the index during a long transaction, such as a
 * backup; `after` prevents that a round reads them again. Rows that commit late with an earlier id are read by the next
 * round
 */
export async function foldStats(
  db: UnboundDatabase,
  limit: number,
  after = 0n,
  { maxEventKeys = MAX_STATS_EVENT_KEYS, healthOffsetMs = 0 }: FoldOptions = {},
): Promise<Folded> {
  const [row] = await db.$queryRaw<{ rows: number; last: bigint | null }[]>`
    WITH taken AS (
      DELETE FROM stats_deltas WHERE id = ANY(ARRAY(
        SELECT id FROM stats_deltas WHERE id > ${after}::int8 ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING *
    ), key AS MATERIALIZED (
      SELECT DISTINCT taken.environment_id, taken.event_key, known.used_on
        FROM taken LEFT JOIN stats_event_keys known USING (environment_id, event_key)
    ), room AS (
      SELECT environment_id, ${maxEventKeys}::int - (
               SELECT count(*) FROM stats_event_keys named WHERE named.environment_id = key.environment_id) AS free
        FROM key WHERE used_on IS NULL GROUP BY environment_id
    ), fresh AS (
      SELECT *, row_number() OVER (PARTITION BY environment_id ORDER BY event_key) AS rank FROM key WHERE used_on IS NULL
    ), admitted AS MATERIALIZED (
      SELECT environment_id, event_key, used_on FROM fresh JOIN room USING (environment_id) WHERE rank <= free
       UNION ALL
      SELECT environment_id, event_key, used_on FROM key WHERE used_on IS NOT NULL
    ), used AS (
      INSERT INTO stats_event_keys (environment_id, event_key, used_on)
      SELECT environment_id, event_key, CURRENT_DATE FROM admitted
       WHERE used_on IS DISTINCT FROM CURRENT_DATE ORDER BY 1, 2
      ON CONFLICT (environment_id, event_key) DO UPDATE SET used_on = EXCLUDED.used_on
    ), summed AS (
      SELECT environment_id, span_seconds, to_timestamp(floor(extract(epoch FROM minute) / span_seconds) * span_seconds) AS start,
             channel_id, sender, CASE WHEN admitted.event_key IS NULL THEN ${OTHER_EVENT_KEYS}::text ELSE event_key END AS event_key,
             error_code, latency_bucket, sum(accepted)::int8 AS accepted,
             sum(delivered)::int8 AS delivered, sum(failed)::int8 AS failed, sum(attempts)::int8 AS attempts,
             sum(bounced)::int8 AS bounced, sum(complained)::int8 AS complained
        FROM taken LEFT JOIN admitted USING (environment_id, event_key)
       CROSS JOIN unnest(ARRAY[60, 3600]::int[]) AS span (span_seconds)
       GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ), added AS (
      INSERT INTO stats (environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket,
                         accepted, delivered, failed, attempts, bounced, complained)
      SELECT * FROM summed ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
      ON CONFLICT (environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket)
      DO UPDATE SET accepted = stats.accepted + EXCLUDED.accepted, delivered = stats.delivered + EXCLUDED.delivered,
                    failed = stats.failed + EXCLUDED.failed, attempts = stats.attempts + EXCLUDED.attempts,
                    bounced = stats.bounced + EXCLUDED.bounced, complained = stats.complained + EXCLUDED.complained
      RETURNING 1
    ), ${observeHealth(healthOffsetMs)}, ${KEEP_FAILURES}
    SELECT count(*)::int AS rows, max(id) AS last FROM taken`;
  return { rows: row?.rows ?? 0, last: row?.last ?? after };
}

/** The old figures of one span, oldest first. Each span has its own index scan: a join of both would read every figure. */
const oldFigures = (span: number, days: number, limit: number) =>
  Prisma.raw(`ARRAY(
      SELECT ctid FROM stats WHERE span_seconds = ${span} AND start < now() - make_interval(days => ${days})
       ORDER BY start LIMIT ${limit} FOR UPDATE SKIP LOCKED)`);

/**
 * Removes up to `limit` old figures of each span (by minute after two days, by hour after 400) as many event keys that
 * were not counted for 30 days, and channels that no longer fail. Returns how many figures were removed. It skips locked rows, so it never deadlocks with a
 * fold.
 */
export function removeOldStats(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    WITH unused AS (
      DELETE FROM stats_event_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM stats_event_keys WHERE used_on < CURRENT_DATE - ${UNUSED_KEY_DAYS}::int
         LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    ), recovered AS (
      DELETE FROM channel_failures WHERE channel_id = ANY(ARRAY(
        SELECT channel_id FROM channel_failures WHERE failed_at < now() - make_interval(days => ${FAILING_DAYS}::int)
         LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    )
    DELETE FROM stats
     WHERE ctid = ANY(${oldFigures(60, MINUTES_DAYS, limit)} || ${oldFigures(3_600, HOURS_DAYS, limit)})`;
}
