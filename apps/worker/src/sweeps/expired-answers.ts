import { type Database, deleteExpiredAnswers } from '@postrider/db';

const BATCH = 1_000;
const MAX_BATCHES = 50;

/**
 * Removes the stored answers of idempotency keys that are a day old (contract section 3), in short
 * transactions.
 */
export async function sweepExpiredAnswers(db: Database): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await deleteExpiredAnswers(db, BATCH)) < BATCH) return;
  }
}
