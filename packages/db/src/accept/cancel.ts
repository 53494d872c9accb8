import { type IdSource, reject } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { type DeliveryRunRecord, readRun } from '../read/deliveries.ts';
import { cancelScheduledRun } from '../statements/end-waiting-runs.ts';

/**
 * Cancels a `scheduled` run and records the attempt `scheduled_cancelled`, in the caller's transaction. Returns the run as the
 * transaction leaves it, and whether it is cancelled now. The conditional update decides the race with a worker's claim:
 * exactly one of the two wins (docs/specification.md, "Delivery run states").
 * @throws RefusedError if there is no such run
 */
export async function cancelRun(
  tx: Queryable,
  {
    newId,
    environmentId,
    runId,
  }: { readonly newId: IdSource; readonly environmentId: string; readonly runId: string },
): Promise<{ readonly isCancelled: boolean; readonly run: DeliveryRunRecord }> {
  const isCancelled = await cancelScheduledRun(tx, newId, { environmentId, id: runId });
  const run = (await readRun(tx, { environmentId, runId })) ?? reject('delivery_run_not_found');
  return { isCancelled, run };
}
