import type { Queryable } from '../client.ts';

/** Bulk replays that are not at their end, in random order, so that of very many none is always last. */
export async function findOpenReplayBatches(
  db: Queryable,
  limit: number,
): Promise<{ readonly id: string; readonly environmentId: string }[]> {
  return db.$queryRaw`
    SELECT id, environment_id AS "environmentId" FROM replay_batches
     WHERE status IN ('pending', 'running') ORDER BY random() LIMIT ${limit}`;
}
