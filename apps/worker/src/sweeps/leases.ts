import { type Database, releaseExpiredLeases } from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';

const BATCH = 500;
const MAX_BATCHES = 20;

/**
 * Takes back the runs of workers that were lost, and enqueues at once those that will be tried again. Returns
 * how many.
 */
export async function sweepLeases({ db, enqueue }: { db: Database; enqueue: EnqueueRuns }): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const released = await releaseExpiredLeases(db, BATCH);
    await enqueue(released.filter(({ status }) => status === 'retrying'));
    total += released.length;
    if (released.length < BATCH) break;
  }
  return total;
}
