import type { IdSource } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type DeliveryRunRecord, readRun } from '../read/deliveries.ts';
import { CANCELLABLE } from '../run-statuses.ts';
import { closeRuns } from '../statements/close.ts';

export type CancelOutcome =
  /** The run as the transaction leaves it. */
  | { readonly outcome: 'cancelled' | 'not_cancellable'; readonly run: DeliveryRunRecord }
  | { readonly outcome: 'run_not_found' };

/** Error message of the attempt that records a cancel. */
export const CANCELLED_MESSAGE = 'The run was cancelled before its time.';

/**
 * Cancels a `scheduled` run and records the attempt `scheduled_cancelled`, in the caller's transaction. A refusal
 * writes nothing. The conditional update decides the race with a worker's claim: exactly one of the two wins
 * (docs/specification.md, "Delivery run states").
 */
export async function cancelRun(
  tx: Queryable,
  {
    newId,
    environmentId,
    runId,
  }: { readonly newId: IdSource; readonly environmentId: string; readonly runId: string },
): Promise<CancelOutcome> {
  const cancelled = await tx.$queryRaw<unknown[]>`
    WITH closing AS (
      SELECT id AS run_id, attempt_count + 1 AS number, ${newId()}::uuid AS attempt_id, fence,
             'cancelled' AS next_status, 'cancelled' AS status, 'scheduled_cancelled' AS error_code,
             ${CANCELLED_MESSAGE}::text AS error_message, false AS retryable
        FROM delivery_runs
       WHERE id = ${runId}::uuid AND environment_id = ${environmentId}::uuid AND status IN ${CANCELLABLE}
         FOR UPDATE
    ), ${closeRuns('never-opened')}
    SELECT 1 FROM moved`;
  const run = await readRun(tx, { environmentId, runId });
  if (!run) return { outcome: 'run_not_found' };
  return { outcome: cancelled.length > 0 ? 'cancelled' : 'not_cancellable', run };
}
