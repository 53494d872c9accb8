import type { IdSource } from '@postrider/domain';
import type { Database } from '../client.ts';
import { endWaitingRuns } from '../deliver/end-runs.ts';

/** Channels of one round. */
const MAX_CHANNELS = 20;
/**
 * How long after its deletion a channel is looked at again: an event that was being accepted meanwhile, from
 * a snapshot of 5 s and in a transaction of 15 s at most, can still make a run for it.
 */
const LATE_RUNS_SECONDS = 60;

/**
 * Ends up to `limit` waiting runs of each of some deleted channels and returns how many. Several sweepers may
 * call it at once.
 */
export async function endRunsOfDeletedChannels(
  { db, newId }: { db: Database; newId: IdSource },
  limit: number,
): Promise<number> {
  const channels = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM channels channel
     WHERE deleted_at IS NOT NULL AND runs_ended_at IS NULL AND EXISTS (
       SELECT FROM delivery_runs run
        WHERE run.channel_id = channel.id AND run.status IN ('scheduled', 'queued', 'retrying'))
     LIMIT ${MAX_CHANNELS}`;
  let ended = 0;
  for (const { id } of channels) ended += await endWaitingRuns(db, newId, { channelId: id, limit });
  return ended;
}

/**
 * Notes which deleted channels have no open run any more and will get none, so that they are not looked at
 * again.
 */
export async function noteEndedChannels(db: Database): Promise<void> {
  await db.$executeRaw`
    UPDATE channels channel SET runs_ended_at = now()
     WHERE deleted_at <= now() - make_interval(secs => ${LATE_RUNS_SECONDS}::int) AND runs_ended_at IS NULL
       AND NOT EXISTS (
         SELECT FROM delivery_runs run
          WHERE run.channel_id = channel.id AND run.status IN ('scheduled', 'queued', 'retrying'))
       AND NOT EXISTS (
         SELECT FROM delivery_runs run WHERE run.channel_id = channel.id AND run.status = 'running')`;
}
