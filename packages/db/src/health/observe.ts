import { COMMON_ATTEMPT_ERROR_CODES, MAX_COUNTED_FAILURES } from '@postrider/domain';
import { type HealthOffset, healthNow } from '../channels/health.ts';
import { Prisma } from '../client.ts';
import { quoted } from '../statement.ts';
import { NO_CHANNEL } from '../statements/count.ts';

/** The time of the last success is written at most this often, in seconds. */
const SUCCESS_EVERY_SECONDS = 10;

/** Pattern of the error codes of attempts without a response in time. */
const TIMEOUT_CODES = '%\\_timeout';

/**
 * The steps of a statement that record the health of channels, from the counted rows of `taken`: at most one row per
 * channel, and none if nothing changed. Error codes that all kinds share are not counted, because they say nothing
 * about the endpoint. Locks are taken in the order of ids, after those of `added`. For a paused channel only its
 * probe counts.
 */
export function observeHealth(offsetMs: HealthOffset): Prisma.Sql {
  const now = healthNow(offsetMs).sql;
  return Prisma.raw(`observed AS MATERIALIZED (
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
      SELECT channel_id, observed.environment_id, CASE WHEN successes > 0 THEN ${now} END,
             CASE WHEN successes = 0 THEN ${now} END,
             CASE WHEN successes = 0 THEN LEAST(observed.failures, ${MAX_COUNTED_FAILURES}::int) ELSE 0 END,
             CASE WHEN successes = 0 THEN LEAST(observed.timeouts, ${MAX_COUNTED_FAILURES}::int) ELSE 0 END
        FROM observed
        JOIN channels ON channels.environment_id = observed.environment_id AND channels.id = observed.channel_id
        LEFT JOIN channel_health before USING (channel_id)
       WHERE CASE WHEN successes > 0
               THEN before.last_success_at IS NULL OR before.failing_since IS NOT NULL AND before.state <> 'paused'
                    OR before.last_success_at <= ${now} - make_interval(secs => ${SUCCESS_EVERY_SECONDS}::int)
               ELSE observed.failures > 0 AND COALESCE(before.failures, 0) < ${MAX_COUNTED_FAILURES}::int
                    AND before.state IS DISTINCT FROM 'paused' END
       ORDER BY channel_id
      ON CONFLICT (channel_id) DO UPDATE
        SET last_success_at = COALESCE(EXCLUDED.last_success_at, health.last_success_at),
            failing_since = CASE WHEN health.state = 'paused' THEN health.failing_since
                                 WHEN EXCLUDED.last_success_at IS NOT NULL THEN NULL
                                 ELSE COALESCE(health.failing_since, EXCLUDED.failing_since) END,
            failures = CASE WHEN health.state = 'paused' THEN health.failures
                            WHEN EXCLUDED.last_success_at IS NOT NULL THEN 0
                            ELSE LEAST(health.failures + EXCLUDED.failures, ${MAX_COUNTED_FAILURES}::int) END,
            timeouts = CASE WHEN health.state = 'paused' THEN health.timeouts
                            WHEN EXCLUDED.last_success_at IS NOT NULL THEN 0
                            ELSE LEAST(health.timeouts + EXCLUDED.timeouts, ${MAX_COUNTED_FAILURES}::int) END
    )`);
}
