import { Prisma } from './client.ts';
import { WAITING } from './run-statuses.ts';

/**
 * `waiting (channel_id, channel_kind)`, a recursive step of a statement: the channels that have waiting runs, due or
 * not. It skips from channel to channel in the index `delivery_runs_open` (a loose index scan), so it costs one
 * look-up per channel, however many runs wait, and one for each run that a worker has claimed.
 */
export const WAITING_CHANNELS: Prisma.Sql = Prisma.sql`
    WITH RECURSIVE waiting (channel_id, channel_kind) AS (
      (SELECT channel_id, channel_kind FROM delivery_runs WHERE completed_at IS NULL AND status IN ${WAITING}
        ORDER BY channel_id LIMIT 1)
      UNION ALL
      SELECT next.channel_id, next.channel_kind FROM waiting CROSS JOIN LATERAL (
        SELECT run.channel_id, run.channel_kind FROM delivery_runs run
         WHERE run.completed_at IS NULL AND run.status IN ${WAITING} AND run.channel_id > waiting.channel_id
         ORDER BY run.channel_id LIMIT 1) next
    )`;
