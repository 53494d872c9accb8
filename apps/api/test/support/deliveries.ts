import type { UnboundDatabase } from '@postrider/db';
import { type AttemptErrorCode, parseId, type RunStatus } from '@postrider/domain';

/** What a run gets to these statuses by: an attempt with the code of an error, which the run keeps. */
const ERROR_CODES: Partial<Record<RunStatus, AttemptErrorCode>> = {
  failed: 'webhook_http_error',
  retrying: 'webhook_http_error',
  cancelled: 'scheduled_cancelled',
};

/** Brings a run to a status as a worker would leave it, but without attempts. */
export async function setRunStatus(db: UnboundDatabase, publicId: string, status: RunStatus): Promise<void> {
  const ended = ['succeeded', 'failed', 'cancelled'].includes(status);
  await db.deliveryRun.update({
    where: { id: parseId('run', publicId) ?? '' },
    data: {
      status,
      completedAt: ended ? new Date() : null,
      lastErrorCode: ERROR_CODES[status] ?? null,
      leaseUntil: status === 'running' ? new Date(Date.now() + 60_000) : null,
      ...(status === 'scheduled' ? { scheduledAt: new Date('2099-01-01T00:00:00Z') } : {}),
    },
  });
}
