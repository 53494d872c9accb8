import { deleteExpiredAnswers, type UnboundDatabase } from '@postrider/db';

const BATCH = 1_000;
const MAX_BATCHES = 50;

/**
 * Removes the stored answers of idempotency keys that are a day old (docs/specification.md, "Idempotency"),
 * in short transactions. Returns how many went.
 */
export async function sweepExpiredAnswers(db: UnboundDatabase): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const removed = await deleteExpiredAnswers(db, BATCH);
    total += removed;
    if (removed < BATCH) break;
  }
  return total;
}
