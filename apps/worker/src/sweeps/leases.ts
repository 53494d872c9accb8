import { type ReleasedRun, releaseExpiredLeases, type UnboundDatabase } from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';

const BATCH = 500;
const MAX_BATCHES = 20;

export interface LeasesDeps {
  readonly db: UnboundDatabase;
  readonly enqueue: EnqueueRuns;
  /** Called with the runs of each batch that was taken back. */
  readonly onReleased?: ((runs: readonly ReleasedRun[]) => void) | undefined;
}

/**
 * Takes back the runs of lost workers, and adds those that will be tried again at the front of the queue, because
 * they have already waited for a lease. Runs in quarantine get no job: they are found in Postgres. Returns how many
 * were taken back.
 */
export async function sweepLeases({ db, enqueue, onReleased }: LeasesDeps): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const released = await releaseExpiredLeases(db, BATCH);
    onReleased?.(released);
    const again = released.filter(({ status, isQuarantined }) => status === 'retrying' && !isQuarantined);
    await enqueue(again.map((run) => ({ ...run, atFront: true })));
    total += released.length;
    if (released.length < BATCH) break;
  }
  return total;
}
