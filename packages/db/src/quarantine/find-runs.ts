import { LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import { WAITING } from '../run-statuses.ts';

/** Of those that have waited longest, among which the channels take turns. */
const MOST_LOOKED_AT = 500;

/**
 * Due runs that are in quarantine, up to `limit`: the oldest of every channel first, then the second of every channel,
 * so that a channel whose endpoint hangs holds up the others as little as can be. The condition on one loss is that of
 * the index, whatever the number is from which on a run is in quarantine.
 */
export async function findQuarantinedRuns(db: UnboundDatabase, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT id, due_at, row_number() OVER (PARTITION BY channel_id ORDER BY due_at, id) AS place FROM (
        SELECT id, channel_id, due_at FROM delivery_runs
         WHERE lost_workers > 0 AND status IN ${WAITING}
           AND lost_workers >= ${LOSSES_BEFORE_QUARANTINE}::int AND due_at <= now()
         ORDER BY due_at LIMIT ${MOST_LOOKED_AT}) due) placed
     ORDER BY place, due_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
