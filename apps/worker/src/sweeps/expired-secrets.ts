import { eraseExpiredSecrets, type UnboundDatabase } from '@postrider/db';

const BATCH = 500;
const MAX_BATCHES = 20;

/** Erases the webhook secrets whose overlap is over, in short transactions. */
export async function sweepExpiredSecrets(db: UnboundDatabase): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await eraseExpiredSecrets(db, BATCH)) < BATCH) return;
  }
}
