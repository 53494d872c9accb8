import type { UnboundDatabase } from '@postrider/db';
import { parseId, type RunStatus } from '@postrider/domain';

/** Brings a run to a status as a worker would leave it. */
export async function setRunStatus(db: UnboundDatabase, publicId: string, status: RunStatus): Promise<void> {
  const ended = ['succeeded', 'failed', 'cancelled'].includes(status);
  await db.deliveryRun.update({
    where: { id: parseId('run', publicId) ?? '' },
    data: {
      status,
      completedAt: ended ? new Date() : null,
      leaseUntil: status === 'running' ? new Date(Date.now() + 60_000) : null,
      ...(status === 'scheduled' ? { scheduledAt: new Date('2099-01-01T00:00:00Z') } : {}),
    },
  });
}
