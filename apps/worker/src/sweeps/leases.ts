import { type ReleasedRun, releaseExpiredLeases, type UnboundDatabase } from '@postrider/db';
import type { Enqueue } from '@postrider/queue';

const BATCH = 500;
const MAX_BATCHES = 20;

export interface LeasesDeps {
  readonly db: UnboundDatabase;
  readonly enqueue: Enqueue;
  /** Called with the released runs of each batch. */
  readonly onReleased?: ((runs: readonly ReleasedRun[]) => void) | undefined;
}

/**
 * Releases the runs of lost workers and wakes their channels. A released run keeps its due time, so it is among the first. Runs
 * in quarantine need no wake-up: the quarantine finds them in Postgres. Returns how many were released.
 */
export async function sweepLeases({ db, enqueue, onReleased }: LeasesDeps): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const released = await releaseExpiredLeases(db, BATCH);
    onReleased?.(released);
    const again = released.filter(({ status, isQuarantined }) => status === 'retrying' && !isQuarantined);
    await enqueue(again);
    total += released.length;
    if (released.length < BATCH) break;
  }
  return total;
}
