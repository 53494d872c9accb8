import type { AttemptErrorCode, AttemptStatus, IdSource } from '@postrider/domain';
import { type Database, Prisma, type Queryable } from './client.ts';
import { WAITING } from './run-statuses.ts';
import { CHANNEL_GONE_MESSAGE, closeRuns } from './statements/close.ts';
import { changeInEnvironments } from './transactions/transaction.ts';

const EXPIRES_FIRST_MESSAGE = 'Nothing was sent: the event expires before another attempt.';

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
    ), ${Prisma.raw(closeRuns('never-opened', { reports: attempt.errorCode === 'expired' }))}
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
