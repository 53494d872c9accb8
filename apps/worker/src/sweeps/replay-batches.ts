import { findOpenReplayBatches, type ReplayPageDeps, replayPage, type UnboundDatabase } from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';

/** Bulk replays that one round looks at; the next looks at others, chosen at random. */
const MAX_BATCHES = 50;

export interface ReplayBatchesDeps extends Omit<ReplayPageDeps, 'db'> {
  readonly db: UnboundDatabase;
  readonly enqueue: EnqueueRuns;
  /** Called when a page failed; the other bulk replays go on. */
  readonly onError: (error: unknown) => void;
}

/**
 * Makes one page of each open bulk replay. Every worker does: the database decides which of them makes a
 * page, and a worker that is lost leaves the next page to any other. Runs whose enqueueing fails are found by
 * the sweep of due runs.
 */
export async function sweepReplayBatches({ enqueue, onError, ...deps }: ReplayBatchesDeps): Promise<void> {
  for (const batch of await findOpenReplayBatches(deps.db, MAX_BATCHES)) {
    try {
      const page = await replayPage(deps, batch);
      if (page.outcome === 'advanced') await enqueue(page.enqueue);
    } catch (error) {
      onError(error);
    }
  }
}
