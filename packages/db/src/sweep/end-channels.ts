import type { IdSource } from '@postrider/domain';
import { TOGETHER_LIMIT_MS, type UnboundDatabase } from '../client.ts';
import { IS_WAITING } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { endRunsOfChannel } from '../statements/end-waiting-runs.ts';

/** Channels per round. */
const MAX_CHANNELS = 20;
/**
 * How long after its deletion a channel is checked again: an event that was being accepted, from a snapshot of up to
 * 5 s and in a transaction of up to 15 s, can still create a run for it. The time of the deletion is that at which its transaction
 * began; the longest one applies a configuration.
 */
const LATE_RUNS_SECONDS = 60 + TOGETHER_LIMIT_MS / 1_000;

/**
 * Deleted channels with waiting runs: a look at the first entry of `delivery_runs_open` for each. The order and the limit
 * prevent PostgreSQL from reading all runs of a channel.
 */
const findEnding = defineStatement<null, { id: string }>({
  text: `
  SELECT id FROM channels channel
   WHERE deleted_at IS NOT NULL AND runs_ended_at IS NULL AND (
     SELECT true FROM delivery_runs run
      WHERE run.channel_id = channel.id AND ${IS_WAITING}
      ORDER BY run.due_at LIMIT 1)
   LIMIT ${MAX_CHANNELS}`,
});

/**
 * Ends up to `limit` waiting runs of each of some deleted channels. Returns how many. Several sweeps may call it
 * concurrently.
 */
export async function endRunsOfDeletedChannels(
  { db, newId }: { db: UnboundDatabase; newId: IdSource },
  limit: number,
): Promise<number> {
  let ended = 0;
  for (const { id } of await findEnding(db, null))
    ended += (await endRunsOfChannel(db, newId, { channelId: id, limit })).length;
  return ended;
}

/**
 * Marks up to `limit` deleted channels that have no open runs and will get none, so that they are not checked again.
 * Returns how many. Locked channels are left for a later round, so several sweeps may call it concurrently.
 */
export function markEndedChannels(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    WITH ended AS MATERIALIZED (
      SELECT id FROM channels channel
       WHERE deleted_at <= now() - make_interval(secs => ${LATE_RUNS_SECONDS}) AND runs_ended_at IS NULL
         AND (SELECT true FROM delivery_runs run WHERE run.channel_id = channel.id AND run.completed_at IS NULL
               ORDER BY run.due_at LIMIT 1) IS NULL
       ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE channels SET runs_ended_at = now() FROM ended WHERE channels.id = ended.id`;
}
