import type { AttemptErrorCode, OperationalEventType } from '@postrider/domain';
import { TOGETHER_LIMIT_MS } from '../client.ts';
import { TERMINAL } from '../run-statuses.ts';
import { LATENCY_BOUNDS_MS, NO_LATENCY } from './count.ts';
import { hasOperationalChannel, RUN_ENDED } from './emit.ts';

/** Error message of the attempt that ends a run of a deleted or disabled channel. */
export const CHANNEL_GONE_MESSAGE = 'The channel was deleted or disabled before the run was started.';

/** Maximum of the column, about 25 days. Without it, leases could not be released after a longer outage. */
const MAX_DURATION_MS = 2_147_483_647;

const RUN_EXHAUSTED: OperationalEventType = 'run.exhausted';
const RENDER_FAILED: OperationalEventType = 'template.render_failed';
const MESSAGE_COMPLETED: OperationalEventType = 'message.completed';
/** Error codes of runs that end because of a change by an operator or a recipient. */
const STOPPED: readonly AttemptErrorCode[] = [
  'channel_disabled',
  'recipient_suppressed',
  'scheduled_cancelled',
];

const CLOSE_OPENED = `
      UPDATE attempts attempt
         SET status = moved.status, error_code = moved.error_code, error_message = moved.error_message,
             retryable = moved.retryable, completed_at = COALESCE(attempt.completed_at, GREATEST(now(), attempt.started_at)),
             duration_ms = COALESCE(attempt.duration_ms, moved.duration_ms, LEAST(GREATEST(
               extract(epoch FROM now() - attempt.started_at) * 1000, 0), ${MAX_DURATION_MS})::int),
             response_status = moved.response_status, response_excerpt = moved.response_excerpt,
             content_sha256 = COALESCE(moved.content_sha256, attempt.content_sha256),
             exchange = COALESCE(moved.exchange, attempt.exchange), sender = moved.sender,
             provider_message_id = moved.provider_message_id, tried = moved.tried,
             skipped_copies = moved.skipped_copies
        FROM moved WHERE attempt.run_id = moved.run_id AND attempt.number = moved.number`;

/**
 * SQL of the start time of attempt `number` of a run: the start of the transaction. While a claim within limits or the apply of a
 * configuration runs, another transaction may end the previous attempt later than that. The attempt then starts at that end, so
 * that they do not overlap. An end that is further ahead than a transaction may last means that the clock was set back, and is
 * ignored.
 */
export const attemptStart = (runId: string, number: string): string => `
  CASE WHEN ${number} = 1 THEN now() ELSE GREATEST(now(), (
    SELECT completed_at FROM attempts previous WHERE previous.run_id = ${runId} AND previous.number = ${number} - 1
       AND completed_at <= now() + interval '${TOGETHER_LIMIT_MS} ms')) END`;

const STARTED_AT = attemptStart('moved.run_id', 'moved.number');

const ADD_CLOSED = `
      INSERT INTO attempts (run_id, number, id, fence, status, error_code, error_message, retryable, started_at,
                            completed_at, duration_ms)
      SELECT run_id, number, attempt_id, fence, status, error_code, error_message, retryable, ${STARTED_AT}, ${STARTED_AT}, 0
        FROM moved`;

/** SQL of columns of `closing`, for attempts without measurements. */
export const NOT_MEASURED = `
  NULL::int AS duration_ms, NULL::int AS response_status, NULL::text AS response_excerpt,
  NULL::bytea AS content_sha256, NULL::jsonb AS exchange, NULL::text AS sender, NULL::text AS provider_message_id,
  NULL::jsonb AS tried, NULL::jsonb AS skipped_copies`;

/** Columns of `moved` about the run, for the figures. */
const COUNTED = `
             run.environment_id AS counted_environment_id, run.message_id AS counted_message_id,
             run.channel_id AS counted_channel_id,
             date_part('epoch', now() - COALESCE(run.scheduled_at, run.created_at)) * 1000 AS counted_latency_ms`;

/**
 * Reports runs that ended as failed, once a day the event keys of a channel whose template failed, and the outcomes that the
 * environment has chosen. Tests and operational messages are not reported. Runs that someone stopped on purpose are only
 * outcomes. Whether a message is complete is decided later, see {@link RUN_ENDED}.
 */
const REPORTED = `reported AS (
      INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
      SELECT counted_environment_id, report.type, report.dedupe_key, jsonb_build_object(
               'delivery_run_id', moved.run_id, 'message_id', counted_message_id, 'channel_id', counted_channel_id,
               'event_key', message.event_key, 'attempts', moved.number, 'error_code', moved.error_code)
        FROM moved
        JOIN messages message
          ON message.environment_id = counted_environment_id AND message.id = counted_message_id
        JOIN environments environment ON environment.id = counted_environment_id
       CROSS JOIN LATERAL (
         SELECT '${RUN_EXHAUSTED}' AS type, 'run/' || moved.run_id AS dedupe_key
          WHERE moved.next_status = 'failed' AND moved.error_code <> ALL ('{${STOPPED.join()}}')
          UNION ALL
         SELECT '${RENDER_FAILED}', 'render/' || counted_channel_id || '/' || message.event_key || '/' || CURRENT_DATE
          WHERE moved.next_status = 'failed' AND moved.error_code = 'template_render_failed'
          UNION ALL
         SELECT 'run.' || moved.next_status, 'run.' || moved.next_status || '/' || moved.run_id
          WHERE 'run.' || moved.next_status = ANY (environment.outcome_events)
          UNION ALL
         SELECT '${RUN_ENDED}', '${RUN_ENDED}/' || moved.run_id
          WHERE '${MESSAGE_COMPLETED}' = ANY (environment.outcome_events)) AS report
       WHERE moved.next_status IN ${TERMINAL.sql} AND NOT message.test
         AND message.operational IS NULL AND ${hasOperationalChannel('counted_environment_id')}
       ORDER BY report.dedupe_key
      ON CONFLICT (dedupe_key) DO NOTHING
    ), `;

/** The bucket of the latency of a run's first attempt, if it got a response. */
const BUCKET = `CASE WHEN moved.number = 1 AND moved.status IN ('succeeded', 'failed')
                  THEN width_bucket(GREATEST(0, counted_latency_ms), '{${LATENCY_BOUNDS_MS.join()}}'::float8[])
                  ELSE ${NO_LATENCY} END`;

/**
 * SQL of the steps `moved`, `closed` and `counted` of a statement. They change the state of runs, close one attempt of each,
 * and count it, in the minute in which it was closed. Tests are not counted.
 *
 * The statement must define a step `closing` before them, with one row per run. Either `closing` has locked the runs,
 * or `stillOwned` repeats the condition in the update; then `closing` is ordered by run id. Its columns are `run_id`,
 * `next_status` (of the run), and of the attempt `number`, `status`, `error_code`, `error_message` and `retryable`.
 * `moved` returns all columns of `closing`, so that no later step needs to join it again: a generic plan would
 * compare each row with each. The error code is also written to the run here, because the trigger
 * `attempts_note_last_error` would write a second version of the row.
 * @param attempt `opened`: a claim opened the attempt. `closing` also has `lost_workers`, `delay_ms` (until the run
 * is due; null leaves the time), `duration_ms` (null measures from the start of the attempt), `response_status`,
 * `response_excerpt`, `content_sha256`, `exchange`, `sender`, `provider_message_id`, `tried` and `skipped_copies`.
 * `never-opened`: the run was waiting and gets an attempt that is closed at once; `closing` also has its `attempt_id` and `fence`.
 * @param options `stillOwned`: a condition on `run` and `closing` that is checked again under the run's lock; left out if
 * `closing` has locked the runs. `counted`: SQL for the number of attempts that rows of `moved` close and that were
 * closed and counted before. `reports`: whether the end of a run may have to be reported
 */
export function closeRuns(
  attempt: 'opened' | 'never-opened',
  {
    stillOwned = 'true',
    counted = 'count(*)',
    reports = true,
  }: { stillOwned?: string; counted?: string; reports?: boolean } = {},
): string {
  const isOpened = attempt === 'opened';
  const rest = isOpened
    ? `lease_until = NULL, lost_workers = closing.lost_workers, limited = NULL,
             due_at = COALESCE(now() + make_interval(secs => closing.delay_ms / 1000.0), run.due_at)`
    : 'attempt_count = closing.number, held = NULL';
  return `moved AS (
      UPDATE delivery_runs run
         SET status = closing.next_status, completed_at = CASE WHEN closing.next_status IN ${TERMINAL.sql} THEN now() END,
             last_error_code = COALESCE(closing.error_code, run.last_error_code), ${rest}
        FROM closing WHERE run.id = closing.run_id AND ${stillOwned}
      RETURNING closing.*, ${COUNTED}
    ), closed AS (${isOpened ? CLOSE_OPENED : ADD_CLOSED}
    ), ${reports ? REPORTED : ''}counted AS (
      INSERT INTO stats_deltas (environment_id, minute, channel_id, sender, event_key, error_code, latency_bucket,
                                accepted, delivered, failed, attempts)
      SELECT counted_environment_id, date_trunc('minute', now()), counted_channel_id,
             ${isOpened ? "COALESCE(moved.sender, '')" : "''"}, message.event_key, COALESCE(moved.error_code, ''), ${isOpened ? BUCKET : NO_LATENCY}, 0,
             count(*) FILTER (WHERE moved.next_status = 'succeeded'),
             count(*) FILTER (WHERE moved.next_status = 'failed'), ${counted}
        FROM moved JOIN messages message
          ON message.environment_id = counted_environment_id AND message.id = counted_message_id
       WHERE NOT message.test AND message.operational IS NULL
       GROUP BY 1, 3, 4, 5, 6, 7
    )`;
}
