import type { AttemptErrorCode, AttemptStatus, IdSource } from '@postrider/domain';
import { type Database, Prisma, type Queryable, TRANSACTION_LIMITS } from '../client.ts';
import { TERMINAL, WAITING } from '../run-statuses.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { COUNTED_COLUMNS, countClosed } from './count.ts';
import { REPORT_CLOSED } from './emit.ts';

/** Error message of the attempt that ends a run of a deleted or disabled channel. */
export const CHANNEL_GONE_MESSAGE = 'The channel was deleted or disabled before the run was started.';

const EXPIRES_FIRST_MESSAGE = 'Nothing was sent: the event expires before another attempt.';

/** Maximum of the column, about 25 days. Without it, leases could not be released after a longer outage. */
const MAX_DURATION_MS = 2_147_483_647;

const CLOSE_OPENED = Prisma.sql`
      UPDATE attempts attempt
         SET status = moved.status, error_code = moved.error_code, error_message = moved.error_message,
             retryable = moved.retryable, completed_at = COALESCE(attempt.completed_at, GREATEST(now(), attempt.started_at)),
             duration_ms = COALESCE(attempt.duration_ms, moved.duration_ms, LEAST(GREATEST(
               extract(epoch FROM now() - attempt.started_at) * 1000, 0), ${MAX_DURATION_MS}::int)::int),
             response_status = moved.response_status, response_excerpt = moved.response_excerpt,
             content_sha256 = COALESCE(moved.content_sha256, attempt.content_sha256),
             exchange = COALESCE(moved.exchange, attempt.exchange), sender = moved.sender,
             provider_message_id = moved.provider_message_id, tried = moved.tried,
             skipped_copies = moved.skipped_copies
        FROM moved WHERE attempt.run_id = moved.run_id AND attempt.number = moved.number`;

/**
 * The start time of attempt `number` of a run: the start of the transaction. While a claim within limits runs, another
 * transaction may end the previous attempt later than that. The attempt then starts at that end, so that they do not overlap.
 * An end that is further ahead than a transaction may last means that the clock was set back, and is ignored.
 */
export const attemptStart = (runId: Prisma.Sql, number: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${number} = 1 THEN now() ELSE GREATEST(now(), (
    SELECT completed_at FROM attempts previous WHERE previous.run_id = ${runId} AND previous.number = ${number} - 1
       AND completed_at <= now() + make_interval(secs => ${TRANSACTION_LIMITS.timeout / 1_000}::float8))) END`;

const STARTED_AT = attemptStart(Prisma.sql`moved.run_id`, Prisma.sql`moved.number`);

const ADD_CLOSED = Prisma.sql`
      INSERT INTO attempts (run_id, number, id, fence, status, error_code, error_message, retryable, started_at,
                            completed_at, duration_ms)
      SELECT run_id, number, attempt_id, fence, status, error_code, error_message, retryable, ${STARTED_AT}, ${STARTED_AT}, 0
        FROM moved`;

/** Columns of `closing` for attempts without measurements. */
export const NOT_MEASURED: Prisma.Sql = Prisma.sql`
  NULL::int AS duration_ms, NULL::int AS response_status, NULL::text AS response_excerpt,
  NULL::bytea AS content_sha256, NULL::jsonb AS exchange, NULL::text AS sender, NULL::text AS provider_message_id,
  NULL::jsonb AS tried, NULL::jsonb AS skipped_copies`;

/**
 * The steps `moved`, `closed` and `counted` of a statement. They change the state of runs, close one attempt of each,
 * and count it.
 *
 * The statement must define a step `closing` before them, with one row per run. Either `closing` has locked the runs,
 * or `held` repeats the condition in the update; then `closing` is ordered by run id. Its columns are `run_id`,
 * `next_status` (of the run), and of the attempt `number`, `status`, `error_code`, `error_message` and `retryable`.
 * `moved` returns all columns of `closing`, so that no later step needs to join it again: a generic plan would
 * compare each row with each. The error code is also written to the run here, because the trigger
 * `attempts_note_last_error` would write a second version of the row.
 * @param attempt `opened`: a claim opened the attempt. `closing` also has `lost_workers`, `delay_ms` (until the run
 * is due; null leaves the time), `duration_ms` (null measures from the start of the attempt), `response_status`,
 * `response_excerpt`, `content_sha256`, `exchange`, `sender`, `provider_message_id`, `tried` and `skipped_copies`.
 * `never-opened`: the run was waiting and gets an attempt that is closed at once; `closing` also has its `attempt_id` and `fence`.
 * @param options `held`: a condition on `run` and `closing` that is checked again under the run's lock; left out if
 * `closing` has locked the runs. `counted`: SQL for the number of attempts that rows of `moved` close and that were
 * closed and counted before. `reports`: false if no run ends as failed, so that {@link REPORT_CLOSED} has nothing to report
 */
export function closeRuns(
  attempt: 'opened' | 'never-opened',
  {
    held = Prisma.sql`true`,
    counted = Prisma.sql`count(*)`,
    reports = attempt === 'opened',
  }: { held?: Prisma.Sql; counted?: Prisma.Sql; reports?: boolean } = {},
): Prisma.Sql {
  const isOpened = attempt === 'opened';
  const rest = isOpened
    ? Prisma.sql`lease_until = NULL, lost_workers = closing.lost_workers, limited = NULL,
             due_at = COALESCE(now() + make_interval(secs => closing.delay_ms / 1000.0), run.due_at)`
    : Prisma.sql`attempt_count = closing.number, held = NULL`;
  return Prisma.sql`moved AS (
      UPDATE delivery_runs run
         SET status = closing.next_status, completed_at = CASE WHEN closing.next_status IN ${TERMINAL} THEN now() END,
             last_error_code = COALESCE(closing.error_code, run.last_error_code), ${rest}
        FROM closing WHERE run.id = closing.run_id AND ${held}
      RETURNING closing.*, ${COUNTED_COLUMNS}
    ), closed AS (${isOpened ? CLOSE_OPENED : ADD_CLOSED}
    ), ${reports ? Prisma.sql`${REPORT_CLOSED}, ` : Prisma.empty}${countClosed({ isOpened, attempts: counted })}`;
}

/** The waiting runs to end, and their last attempt. */
interface Ending {
  /**
   * A condition on `delivery_runs`, with an order if it matters which runs end first. Ids of a search are `= ANY(ARRAY(…))`:
   * PostgreSQL may repeat a search that is a subquery of IN for each waiting run. `completed_at IS NULL` only where an index of
   * open runs is wanted: with other conditions PostgreSQL may read all of such an index.
   */
  readonly which: Prisma.Sql;
  readonly limit: number;
  /** SQL of the new status of the run. */
  readonly nextStatus: Prisma.Sql;
  readonly attempt: {
    readonly status: Extract<AttemptStatus, 'failed' | 'cancelled'>;
    readonly errorCode: AttemptErrorCode;
    readonly errorMessage: string;
  };
}

/**
 * Ends up to `limit` waiting runs, each with an attempt that says why, and returns how many. Fewer than `limit` means
 * that only runs which a worker or a cancel has locked are left.
 */
export async function endWaitingRuns(
  db: Queryable,
  newId: IdSource,
  { which, limit, nextStatus, attempt }: Ending,
): Promise<number> {
  const attemptIds = Array.from({ length: limit }, newId);
  const [row] = await db.$queryRaw<{ ended: number }[]>`
    WITH target AS (
      SELECT id, status, attempt_count, fence FROM delivery_runs
       WHERE status IN ${WAITING} AND ${which} LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ), numbered AS (
      SELECT target.*, row_number() OVER () AS place FROM target
    ), closing AS (
      SELECT numbered.id AS run_id, attempt_count + 1 AS number, attempt.id AS attempt_id, fence,
             ${nextStatus} AS next_status, ${attempt.status}::text AS status, ${attempt.errorCode}::text AS error_code,
             ${attempt.errorMessage}::text AS error_message, false AS retryable
        FROM numbered JOIN unnest(${attemptIds}::uuid[]) WITH ORDINALITY AS attempt (id, place) USING (place)
    ), ${closeRuns('never-opened', { reports: attempt.errorCode === 'expired' })}
    SELECT count(*)::int AS ended FROM moved`;
  return row?.ended ?? 0;
}

/**
 * Ends a run that waits for a retry although its event expires before. Returns false if it no longer waits. Its last attempt keeps its
 * error; the run ends with an attempt of its own, as every run whose event expires.
 */
export async function expireRun(
  { db, newId }: { readonly db: Database; readonly newId: IdSource },
  { runId, environmentId }: { readonly runId: string; readonly environmentId: string },
): Promise<boolean> {
  const ended = await changeInEnvironments(db, [environmentId], (tx) =>
    endWaitingRuns(tx, newId, {
      which: Prisma.sql`id = ${runId}::uuid AND environment_id = ${environmentId}::uuid AND status = 'retrying'`,
      limit: 1,
      nextStatus: Prisma.sql`'failed'`,
      attempt: { status: 'failed', errorCode: 'expired', errorMessage: EXPIRES_FIRST_MESSAGE },
    }),
  );
  return ended > 0;
}

/** {@link endWaitingRuns} for a deleted channel, earliest due first (docs/specification.md, "Delivery run states"). */
export function endRunsOfChannel(
  db: Queryable,
  newId: IdSource,
  { channelId, limit }: { channelId: string; limit: number },
): Promise<number> {
  return endWaitingRuns(db, newId, {
    which: Prisma.sql`channel_id = ${channelId}::uuid AND completed_at IS NULL ORDER BY due_at`,
    limit,
    nextStatus: Prisma.sql`'failed'`,
    attempt: { status: 'failed', errorCode: 'channel_disabled', errorMessage: CHANNEL_GONE_MESSAGE },
  });
}
