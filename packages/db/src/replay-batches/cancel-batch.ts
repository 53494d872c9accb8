import { formatId } from '@postrider/domain';
import { recordAudit } from '../configure/audit.ts';
import { type ConfigureDeps, inTransaction } from '../configure/change.ts';
import { readEnvironment } from '../configure/environments.ts';
import {
  auditedReplayBatch,
  type ReplayBatchRecord,
  readReplayBatch,
  toReplayBatch,
} from './batch-record.ts';

export type CancelReplayBatchOutcome =
  | { readonly outcome: 'cancelled'; readonly batch: ReplayBatchRecord }
  /** It is at its end already. */
  | { readonly outcome: 'ended'; readonly batch: ReplayBatchRecord }
  | { readonly outcome: 'not_found' };

/**
 * Stops a bulk replay. Waits for the page that is being made, and no other follows; the runs that were made go on. One
 * that was cancelled before answers as it did then.
 */
export async function cancelReplayBatch(deps: ConfigureDeps, id: string): Promise<CancelReplayBatchOutcome> {
  return inTransaction(deps, async (tx) => {
    await tx.$queryRaw`SELECT FROM replay_batches WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await readReplayBatch(tx, id);
    if (!before) return { outcome: 'not_found' };
    if (before.status === 'cancelled') return { outcome: 'cancelled', batch: before };
    if (before.completedAt) return { outcome: 'ended', batch: before };
    const [now] = await tx.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', now()) AS now`;
    const row = await tx.replayBatch.update({
      where: { id },
      data: { status: 'cancelled', reason: null, retryAt: null, completedAt: now?.now ?? null },
    });
    const batch = toReplayBatch(row);
    const environment = await readEnvironment(tx, batch.environmentId);
    await recordAudit(tx, deps, {
      action: 'replay_batch.cancelled',
      resourceId: formatId('rpb', id),
      tenantId: environment?.tenantId ?? null,
      environmentId: batch.environmentId,
      before: auditedReplayBatch(before),
      after: auditedReplayBatch(batch),
    });
    return { outcome: 'cancelled', batch };
  });
}
