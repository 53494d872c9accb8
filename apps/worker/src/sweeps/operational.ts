import type { ChannelRegistry } from '@postrider/channels';
import { dispatchOperationalEvents, removeOldOperationalEvents, type UnboundDatabase } from '@postrider/db';
import type { Enqueue } from '@postrider/queue';

/** Events per transaction, and transactions per round. */
const BATCH = 100;
const MAX_BATCHES = 50;
const REMOVED_AT_ONCE = 1_000;

/** Sends operational events. Returns how many runs were created. */
export async function sweepOperationalEvents({
  db,
  kinds,
  enqueue,
}: {
  readonly db: UnboundDatabase;
  readonly kinds: ChannelRegistry;
  readonly enqueue: Enqueue;
}): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { runs, hasMore } = await dispatchOperationalEvents({ db, kinds: kinds.definitions }, BATCH);
    await enqueue(runs);
    total += runs.length;
    if (!hasMore) break;
  }
  await removeOldOperationalEvents(db, REMOVED_AT_ONCE);
  return total;
}
