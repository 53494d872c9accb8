import type { Queryable } from '../client.ts';
import { OPEN_BATCH } from '../run-statuses.ts';

/** Bulk replays that may make a page, in random order, so that of very many none is always last. */
export async function findOpenReplayBatches(
  db: Queryable,
  limit: number,
): Promise<{ readonly id: string }[]> {
  return db.$queryRaw`
    SELECT id FROM replay_batches
     WHERE status IN ${OPEN_BATCH} AND (retry_at IS NULL OR retry_at <= now())
     ORDER BY random() LIMIT ${limit}`;
}
