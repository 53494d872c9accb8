import { type ReleasedRun, releaseExpiredLeases, type UnboundDatabase } from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';

const BATCH = 500;
const MAX_BATCHES = 20;

export interface LeasesDeps {
  readonly db: UnboundDatabase;
  readonly enqueue: EnqueueRuns;
  /** Hears of the runs of each batch that was taken back. */
  readonly onReleased?: ((runs: readonly ReleasedRun[]) => void) | undefined;
}

/**
 * Takes back the runs of workers that were lost, and enqueues those that will be tried again before all that
 * waits, so that a backlog does not delay what has waited for a lease already. Those in quarantine get no job:
 * they are looked for in Postgres. Returns how many were taken back.
 */
export async function sweepLeases({ db, enqueue, onReleased }: LeasesDeps): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const released = await releaseExpiredLeases(db, BATCH);
    onReleased?.(released);
    const again = released.filter(({ status, isQuarantined }) => status === 'retrying' && !isQuarantined);
    await enqueue(again.map((run) => ({ ...run, goesFirst: true })));
    total += released.length;
    if (released.length < BATCH) break;
  }
  return total;
}
