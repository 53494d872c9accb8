import type { Queryable } from '../client.ts';
import { CANCELLABLE } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { closeRuns } from './close.ts';

/** Error message of the attempt that records a cancel. */
const CANCELLED_MESSAGE = 'The run was cancelled before its time.';

/** What to cancel. `attemptIds`: one for each run that may be cancelled. All ids are UUIDs. */
interface Cancel {
  readonly environmentId: string;
  readonly id: string;
  readonly attemptIds: readonly string[];
}

/**
 * The conditional lock decides the race with a worker's claim: exactly one of the two wins (docs/specification.md,
 * "Delivery run states"). Runs are locked in the order of their ids.
 */
const define = (which: string) =>
  defineStatement<Cancel, { run_id: string }>({
    text: `
    WITH target AS (
      SELECT id, attempt_count, fence FROM delivery_runs
       WHERE environment_id = :environmentId::uuid AND ${which} AND status IN ${CANCELLABLE.sql}
       ORDER BY id LIMIT cardinality(:attemptIds::uuid[]) FOR UPDATE
    ), numbered AS (
      SELECT target.*, row_number() OVER (ORDER BY target.id) AS place FROM target
    ), closing AS (
      SELECT id AS run_id, attempt_count + 1 AS number, (:attemptIds::uuid[])[place] AS attempt_id, fence,
             'cancelled' AS next_status, 'cancelled' AS status, 'scheduled_cancelled' AS error_code,
             '${CANCELLED_MESSAGE}' AS error_message, false AS retryable
        FROM numbered
    ), ${closeRuns('never-opened')}
    SELECT run_id FROM moved`,
  });

const cancelOfMessage = define('message_id = :id::uuid');
const cancelOne = define('id = :id::uuid');

/** Cancels the `scheduled` runs of a message, each with an attempt that says so. Returns their ids. */
export async function cancelRunsOfMessage(tx: Queryable, cancel: Cancel): Promise<string[]> {
  return (await cancelOfMessage(tx, cancel)).map(({ run_id }) => run_id);
}

/** {@link cancelRunsOfMessage} for one run. Returns whether it was `scheduled`. */
export async function cancelScheduledRun(tx: Queryable, cancel: Cancel): Promise<boolean> {
  return (await cancelOne(tx, cancel)).length > 0;
}
