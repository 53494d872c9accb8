import { endRunsOfDeletedChannels, noteEndedChannels, type UnboundDatabase } from '@postrider/db';
import type { IdSource } from '@postrider/domain';

/** Runs of a channel, or channels, in one short transaction. */
const BATCH = 1_000;
const MAX_BATCHES = 20;

/**
 * Ends the waiting runs of deleted channels, which the deletion leaves when there are many, when one comes
 * back from an attempt, and when an event was accepted meanwhile.
 */
export async function sweepDeletedChannels(deps: { db: UnboundDatabase; newId: IdSource }): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await endRunsOfDeletedChannels(deps, BATCH)) === 0) break;
  }
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await noteEndedChannels(deps.db, BATCH)) < BATCH) break;
  }
}
