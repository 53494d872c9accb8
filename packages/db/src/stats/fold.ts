import { COMMON_ATTEMPT_ERROR_CODES, FAILING_DAYS, MAX_COUNTED_FAILURES } from '@postrider/domain';
import { Prisma, type UnboundDatabase } from '../client.ts';
import { defineStatement, quoted } from '../statement.ts';
import { NOT_MADE } from '../statements/channel-state.ts';
import { NO_CHANNEL } from '../statements/count.ts';

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
}

interface Folded {
  readonly rows: number;
  /** The id of the last row, where the next call continues. */
  readonly last: bigint;
}

/** The time of the last success is written at most this often, in seconds. */
const SUCCESS_EVERY_SECONDS = 10;
/** Pattern of the error codes of attempts without a response in time. */
const TIMEOUT_CODES = '%\\_timeout';

interface Fold {
  readonly limit: number;
  readonly after: bigint;
  readonly maxEventKeys: number;
}

/**
 * After the figures it records the health of channels in `noted`: at most one row per channel, and none if nothing changed. Error codes
 * that all kinds share are not counted, because they say nothing about the endpoint. For a paused channel only its probe counts.
 * `kept_failures` keeps what has failed since the last success of each channel, to the minute: failures of the same minute as a success
 * do not count. Locks are taken step by step, and in each in the order of ids.
 */
const fold = defineStatement<Fold, { rows: number; last: bigint | null }>({
  text: `
    WITH taken AS (
      DELETE FROM stats_deltas WHERE id = ANY(ARRAY(
        SELECT id FROM stats_deltas WHERE id > :after::int8 ORDER BY id LIMIT :limit FOR UPDATE SKIP LOCKED))
      RETURNING *
    ), key AS MATERIALIZED (
      SELECT DISTINCT taken.environment_id, taken.event_key, known.used_on
        FROM taken LEFT JOIN stats_event_keys known USING (environment_id, event_key)
    ), room AS (
      SELECT environment_id, :maxEventKeys::int - (
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
             channel_id, sender, CASE WHEN admitted.event_key IS NULL THEN '${OTHER_EVENT_KEYS}' ELSE event_key END AS event_key,
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
    ), observed AS MATERIALIZED (
      SELECT environment_id, channel_id, COALESCE(sum(attempts) FILTER (WHERE error_code = ''), 0)::int AS successes,
             COALESCE(sum(attempts) FILTER (WHERE is_failure), 0)::int AS failures,
             COALESCE(sum(attempts) FILTER (WHERE is_failure AND error_code LIKE ${quoted(TIMEOUT_CODES)}), 0)::int AS timeouts
        FROM taken
       CROSS JOIN LATERAL (
         SELECT error_code <> '' AND error_code <> ALL (ARRAY[${COMMON_ATTEMPT_ERROR_CODES.map(quoted).join(', ')}]) AS is_failure) AS kind
       WHERE channel_id <> '${NO_CHANNEL}' AND attempts > 0 AND (SELECT count(*) FROM added) >= 0
       GROUP BY 1, 2
    ), noted AS (
      INSERT INTO channel_health AS health (channel_id, environment_id, last_success_at, failing_since, failures, timeouts)
      SELECT channel_id, observed.environment_id, CASE WHEN successes > 0 THEN now() END,
             CASE WHEN successes = 0 THEN now() END,
             CASE WHEN successes = 0 THEN LEAST(observed.failures, ${MAX_COUNTED_FAILURES}) ELSE 0 END,
             CASE WHEN successes = 0 THEN LEAST(observed.timeouts, ${MAX_COUNTED_FAILURES}) ELSE 0 END
        FROM observed
        JOIN channels ON channels.environment_id = observed.environment_id AND channels.id = observed.channel_id
        LEFT JOIN channel_health before USING (channel_id)
       WHERE CASE WHEN successes > 0
               THEN before.last_success_at IS NULL OR before.failing_since IS NOT NULL AND before.state <> 'paused'
                    OR before.last_success_at <= now() - make_interval(secs => ${SUCCESS_EVERY_SECONDS}::int)
               ELSE observed.failures > 0 AND COALESCE(before.failures, 0) < ${MAX_COUNTED_FAILURES}
                    AND before.state IS DISTINCT FROM 'paused' END
       ORDER BY channel_id
      ON CONFLICT (channel_id) DO UPDATE
        SET last_success_at = COALESCE(EXCLUDED.last_success_at, health.last_success_at),
            failing_since = CASE WHEN health.state = 'paused' THEN health.failing_since
                                 WHEN EXCLUDED.last_success_at IS NOT NULL THEN NULL
                                 ELSE COALESCE(health.failing_since, EXCLUDED.failing_since) END,
            failures = CASE WHEN health.state = 'paused' THEN health.failures
                            WHEN EXCLUDED.last_success_at IS NOT NULL THEN 0
                            ELSE LEAST(health.failures + EXCLUDED.failures, ${MAX_COUNTED_FAILURES}) END,
            timeouts = CASE WHEN health.state = 'paused' THEN health.timeouts
                            WHEN EXCLUDED.last_success_at IS NOT NULL THEN 0
                            ELSE LEAST(health.timeouts + EXCLUDED.timeouts, ${MAX_COUNTED_FAILURES}) END
    ), outcome AS MATERIALIZED (
      SELECT taken.environment_id, taken.channel_id, minute, error_code, attempts, before.channel_id IS NOT NULL AS is_known,
             max(CASE WHEN delivered > 0 THEN minute END) OVER of_channel AS succeeded_at,
             error_code <> '' AND error_code <> ALL (${NOT_MADE})
               AND minute > COALESCE(max(CASE WHEN delivered > 0 THEN minute END) OVER of_channel, '-infinity')
               AND minute > COALESCE(date_trunc('minute', health.last_success_at), '-infinity') AS is_failure
        FROM taken
        LEFT JOIN channel_failures before ON before.channel_id = taken.channel_id
        LEFT JOIN channel_health health ON health.channel_id = taken.channel_id
       WHERE taken.channel_id <> '${NO_CHANNEL}' AND attempts > 0 AND (SELECT count(*) FROM observed) >= 0
      WINDOW of_channel AS (PARTITION BY taken.channel_id)
    ), streak AS (
      SELECT environment_id, channel_id, succeeded_at, COALESCE(sum(attempts) FILTER (WHERE is_failure), 0)::int8 AS failures,
             COALESCE(min(minute) FILTER (WHERE is_failure), 'infinity') AS failing_since,
             COALESCE(max(minute) FILTER (WHERE is_failure), '-infinity') AS failed_at,
             COALESCE((array_agg(error_code ORDER BY minute DESC, attempts DESC) FILTER (WHERE is_failure))[1], '') AS last_error_code
        FROM outcome GROUP BY 1, 2, 3, is_known HAVING bool_or(is_failure) OR is_known AND succeeded_at IS NOT NULL
    ), kept_failures AS (
      INSERT INTO channel_failures AS known (channel_id, environment_id, failures, failing_since, failed_at, last_error_code)
      SELECT channel_id, environment_id, failures, failing_since, failed_at, last_error_code FROM streak ORDER BY channel_id
      ON CONFLICT (channel_id) DO UPDATE
        SET (failures, failing_since, failed_at, last_error_code) = (
          SELECT CASE WHEN continues THEN known.failures ELSE 0 END + EXCLUDED.failures,
                 CASE WHEN continues THEN LEAST(known.failing_since, EXCLUDED.failing_since) ELSE EXCLUDED.failing_since END,
                 CASE WHEN continues THEN GREATEST(known.failed_at, EXCLUDED.failed_at) ELSE EXCLUDED.failed_at END,
                 CASE WHEN continues AND known.failed_at > EXCLUDED.failed_at THEN known.last_error_code
                      ELSE EXCLUDED.last_error_code END
            FROM (SELECT COALESCE(known.failing_since > streak.succeeded_at, true) AS continues
                    FROM streak WHERE streak.channel_id = known.channel_id) AS state)
    )
    SELECT count(*)::int AS rows, max(id) AS last FROM taken`,
});

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
  { maxEventKeys = MAX_STATS_EVENT_KEYS }: FoldOptions = {},
): Promise<Folded> {
  const [row] = await fold(db, { limit, after, maxEventKeys });
  return { rows: row?.rows ?? 0, last: row?.last ?? after };
}

/** The old figures of one span, oldest first. Each span has its own index scan: a join of both would read every figure. */
const oldFigures = (span: number, days: number, limit: number) =>
  Prisma.raw(`ARRAY(
      SELECT ctid FROM stats WHERE span_seconds = ${span} AND start < now() - make_interval(days => ${days})
       ORDER BY start LIMIT ${limit} FOR UPDATE SKIP LOCKED)`);

/**
 * Removes up to `limit` old figures of each span (by minute after two days, by hour after 400) as many event keys that
 * were not counted for 30 days, and channels that no longer fail. Returns how many figures were removed. It skips locked rows, so
 * it never deadlocks with a fold.
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
