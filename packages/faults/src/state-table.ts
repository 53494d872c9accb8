import type { RunStatus } from '@postrider/domain';

/**
 * The state table, deliberately written a second time, so that a mistake in the service's own copy is detected.
 */
export const STATE_TABLE: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  scheduled: ['running', 'cancelled', 'failed'],
  queued: ['running', 'failed'],
  running: ['succeeded', 'retrying', 'failed'],
  retrying: ['running', 'failed'],
  succeeded: [],
  failed: [],
  cancelled: [],
};

/** The statuses in which a run begins. */
export const FIRST_STATUSES: readonly RunStatus[] = ['scheduled', 'queued'];

export const isFinal = (status: RunStatus): boolean => STATE_TABLE[status].length === 0;

/** The statuses in which a run ends. */
export const FINAL_STATUSES: readonly RunStatus[] = (Object.keys(STATE_TABLE) as RunStatus[]).filter(isFinal);
