import type { IdSource } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type DeliveryRunRecord, readRun } from '../read/deliveries.ts';
import { cancelScheduledRun } from '../statements/cancel.ts';

export type CancelOutcome =
  /** The run as the transaction leaves it. */
  | { readonly outcome: 'cancelled' | 'not_cancellable'; readonly run: DeliveryRunRecord }
  | { readonly outcome: 'run_not_found' };

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
  const isCancelled = await cancelScheduledRun(tx, { environmentId, id: runId, attemptIds: [newId()] });
  const run = await readRun(tx, { environmentId, runId });
  if (!run) return { outcome: 'run_not_found' };
  return { outcome: isCancelled ? 'cancelled' : 'not_cancellable', run };
}
