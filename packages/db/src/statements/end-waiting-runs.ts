import {
  type AttemptErrorCode,
  type AttemptStatus,
  DEFAULT_FAILURE_POLICY,
  type IdSource,
} from '@postrider/domain';
import type { Database, Queryable } from '../client.ts';
import { CANCELLABLE, isWaiting, WAITING } from '../run-statuses.ts';
import { defineStatement, type NamedParameters, quoted } from '../statement.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { CHANNEL_GONE_MESSAGE, closeRuns } from './close.ts';

const EXPIRES_FIRST_MESSAGE = 'Nothing was sent: the event expires before another attempt.';
/** Error message of the attempt that records a cancel. */
const CANCELLED_MESSAGE = 'The run was cancelled before its time.';
const ERASED_MESSAGE = "The recipient's data was erased before the attempt.";

/** SQL of `max_age` of the failure policy of `channel`, in seconds. */
export const MAX_AGE = `COALESCE((channel.failure_policy ->> 'max_age')::float8, ${DEFAULT_FAILURE_POLICY.max_age})`;

/** The waiting runs to end, and their last attempt. */
interface Ending<Input> {
  /**
   * SQL of a condition on `delivery_runs`, with an order if it matters which runs end first. Ids of a search are
   * `= ANY(ARRAY(…))`: PostgreSQL may repeat a search that is a subquery of IN for each waiting run.
   */
  readonly which: string;
  /**
   * Whether an index of open runs is wanted: with other conditions PostgreSQL may read all of such an index. Then the condition is not
   * a list of statuses, for the reason of `IS_WAITING`.
   */
  readonly isByOpenRuns?: true;
  /** How the runs are locked. By default, runs that others have locked are skipped. */
  readonly lock?: 'FOR UPDATE' | 'FOR NO KEY UPDATE SKIP LOCKED';
  readonly parameters?: NamedParameters<Input>;
  /** SQL of the new status of the run; `failed` if it is left out. */
  readonly nextStatus?: string;
  readonly attempt: {
    readonly status: Extract<AttemptStatus, 'failed' | 'cancelled'>;
    readonly errorCode: AttemptErrorCode;
    readonly errorMessage: string;
  };
}

/**
 * Defines a statement that ends up to `limit` waiting runs, each with an attempt that says why, and returns their UUIDs. Fewer than
 * `limit` mean that only runs which a worker or a cancel has locked are left.
 */
export function defineEnding<Input>({
  which,
  isByOpenRuns,
  lock = 'FOR NO KEY UPDATE SKIP LOCKED',
  parameters,
  nextStatus = "'failed'",
  attempt,
}: Ending<Input>) {
  const end = defineStatement<Input & { readonly attemptIds: readonly string[] }, { run_id: string }>({
    text: `
    WITH target AS (
      SELECT id, status, attempt_count, fence FROM delivery_runs
       WHERE ${isByOpenRuns ? isWaiting('delivery_runs') : `status IN ${WAITING.sql}`} AND ${which}
       LIMIT cardinality(:attemptIds::uuid[]) ${lock}
    ), numbered AS (
      SELECT target.*, row_number() OVER () AS place FROM target
    ), closing AS (
      SELECT id AS run_id, attempt_count + 1 AS number, (:attemptIds::uuid[])[place] AS attempt_id, fence,
             ${nextStatus} AS next_status, '${attempt.status}' AS status, '${attempt.errorCode}' AS error_code,
             ${quoted(attempt.errorMessage)} AS error_message, false AS retryable
        FROM numbered
    ), ${closeRuns('never-opened')}
    SELECT run_id FROM moved`,
    ...(parameters && { parameters }),
  });
  return async (
    db: Queryable,
    newId: IdSource,
    input: Input & { readonly limit: number },
  ): Promise<string[]> => {
    const attemptIds = Array.from({ length: input.limit }, newId);
    return (await end(db, { ...input, attemptIds })).map(({ run_id }) => run_id);
  };
}

const endRetry = defineEnding<{ readonly runId: string; readonly environmentId: string }>({
  which: "id = :runId::uuid AND environment_id = :environmentId::uuid AND status = 'retrying'",
  attempt: { status: 'failed', errorCode: 'expired', errorMessage: EXPIRES_FIRST_MESSAGE },
});

/**
 * Ends a run that waits for a retry although its event expires before. Returns false if it no longer waits. Its last attempt keeps its
 * error; the run ends with an attempt that sends nothing, as every run that ends while it waits: `last_error` is the error of the
 * newest attempt, in the API and by the trigger `attempts_note_last_error`.
 */
export async function expireRun(
  { db, newId }: { readonly db: Database; readonly newId: IdSource },
  { runId, environmentId }: { readonly runId: string; readonly environmentId: string },
): Promise<boolean> {
  const run = { runId, environmentId, limit: 1 };
  const ended = await changeInEnvironments(db, [environmentId], (tx) => endRetry(tx, newId, run));
  return ended.length > 0;
}

/** Ends runs of a deleted channel, earliest due first (docs/specification.md, "Delivery run states"). */
export const endRunsOfChannel = defineEnding<{ readonly channelId: string }>({
  which: 'channel_id = :channelId::uuid ORDER BY due_at',
  isByOpenRuns: true,
  attempt: { status: 'failed', errorCode: 'channel_disabled', errorMessage: CHANNEL_GONE_MESSAGE },
});

/**
 * Ends runs of messages that are erased. A `scheduled` run becomes `cancelled`; a `queued` or `retrying` one becomes `failed`,
 * its only valid final state (docs/specification.md, "Delivery run states").
 */
export const endRunsOfMessages = defineEnding<{
  readonly environmentId: string;
  readonly messageIds: readonly string[];
}>({
  which: 'environment_id = :environmentId::uuid AND message_id = ANY(:messageIds::uuid[])',
  nextStatus: `CASE WHEN status IN ${CANCELLABLE.sql} THEN 'cancelled' ELSE 'failed' END`,
  attempt: { status: 'cancelled', errorCode: 'scheduled_cancelled', errorMessage: ERASED_MESSAGE },
});

interface Cancel {
  readonly environmentId: string;
  /** UUID of the message, or of the run. */
  readonly id: string;
}

/**
 * The conditional lock decides the race with a worker's claim: exactly one of the two wins (docs/specification.md,
 * "Delivery run states"). Runs are locked in the order of their ids.
 */
const defineCancel = (which: string) =>
  defineEnding<Cancel>({
    which: `environment_id = :environmentId::uuid AND ${which} AND status IN ${CANCELLABLE.sql} ORDER BY id`,
    lock: 'FOR UPDATE',
    nextStatus: "'cancelled'",
    attempt: { status: 'cancelled', errorCode: 'scheduled_cancelled', errorMessage: CANCELLED_MESSAGE },
  });

/** Cancels up to `limit` of the `scheduled` runs of a message, each with an attempt that says so. Returns their UUIDs. */
export const cancelRunsOfMessage = defineCancel('message_id = :id::uuid');

const cancelById = defineCancel('id = :id::uuid');

/** Cancels one `scheduled` run, with an attempt that says so. Returns whether it did. */
export const cancelScheduledRun = async (tx: Queryable, newId: IdSource, cancel: Cancel): Promise<boolean> =>
  (await cancelById(tx, newId, { ...cancel, limit: 1 })).length > 0;
