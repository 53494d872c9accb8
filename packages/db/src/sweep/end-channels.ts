import type { IdSource } from '@postrider/domain';
import { Prisma, type UnboundDatabase } from '../client.ts';
import { endRunsOfChannel } from '../deliver/close-runs.ts';
import { WAITING } from '../run-statuses.ts';

/** Channels of one round. */
const MAX_CHANNELS = 20;
/**
 * How long after its deletion a channel is looked at again: an event that was being accepted meanwhile, from
 * a snapshot of 5 s and in a transaction of 15 s at most, can still make a run for it.
 */
const LATE_RUNS_SECONDS = 60;

/**
 * Whether a channel has open runs: a look at the first entry of `delivery_runs_open`. The order and the limit keep
 * Postgres from reading all runs of the channel, or of all channels, for it.
 */
const hasOpenRuns = (condition: Prisma.Sql) => Prisma.sql`(
  SELECT true FROM delivery_runs run
   WHERE run.channel_id = channel.id AND run.completed_at IS NULL AND ${condition}
   ORDER BY run.due_at LIMIT 1)`;

/** Deleted channels that have waiting runs. Not part of the package's interface: the test looks at its plan. */
export const endingChannelsStatement = () => Prisma.sql`
  SELECT id FROM channels channel
   WHERE deleted_at IS NOT NULL AND runs_ended_at IS NULL AND ${hasOpenRuns(Prisma.sql`run.status IN ${WAITING}`)}
   LIMIT ${MAX_CHANNELS}`;

/**
 * Ends up to `limit` waiting runs of each of some deleted channels and returns how many. Several sweepers may
 * call it at once.
 */
export async function endRunsOfDeletedChannels(
  { db, newId }: { db: UnboundDatabase; newId: IdSource },
  limit: number,
): Promise<number> {
  const channels = await db.$queryRaw<{ id: string }[]>(endingChannelsStatement());
  let ended = 0;
  for (const { id } of channels) ended += await endRunsOfChannel(db, newId, { channelId: id, limit });
  return ended;
}

/** The update of {@link noteEndedChannels}. Not part of the package's interface: the test looks at its plan. */
export const noteEndedStatement = (limit: number) => Prisma.sql`
  WITH ended AS MATERIALIZED (
    SELECT id FROM channels channel
     WHERE deleted_at <= now() - make_interval(secs => ${LATE_RUNS_SECONDS}::int) AND runs_ended_at IS NULL
       AND ${hasOpenRuns(Prisma.sql`true`)} IS NULL
     ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE channels SET runs_ended_at = now() FROM ended WHERE channels.id = ended.id`;

/**
 * Notes which deleted channels have no open run any more and will get none, up to `limit` of them, so that
 * they are not looked at again, and returns how many. A channel that somebody else holds is left for a later
 * round: several sweepers may call it at once.
 */
export function noteEndedChannels(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw(noteEndedStatement(limit));
}
