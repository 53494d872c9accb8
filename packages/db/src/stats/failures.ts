import { Prisma } from '../client.ts';
import { NOT_MADE } from '../statements/channel-state.ts';
import { NO_CHANNEL } from '../statements/count.ts';

/**
 * The step of a statement that keeps what has failed since the last success of each channel of `taken`, to the minute:
 * failures of the same minute as a success do not count. Locks are taken in the order of ids, after those of `noted`.
 */
export const KEEP_FAILURES: Prisma.Sql = Prisma.raw(`outcome AS MATERIALIZED (
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
    )`);
