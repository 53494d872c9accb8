import { type ChannelKind, LOSSES_BEFORE_END, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import { Prisma, type UnboundDatabase } from '../client.ts';
import { closeRuns, NOT_MEASURED } from '../deliver/close-runs.ts';
import { STARTED, WAITING } from '../run-statuses.ts';

/**
 * What the last attempt says of a run that ends because of the processes that it cost. Tenants read it: whether
 * something was delivered, that it was not tried again, and what they can do.
 */
const WHAT_NOW =
  'Whether it was delivered is not known. It is not tried again; it can be replayed once the cause is fixed.';

/** The run ended a process that tried nothing else. */
const ENDED_ALONE_MESSAGE = `The run was tried alone, after it had lost several workers, and ended the process that tried it. ${WHAT_NOW}`;

/** The run lost so many workers that it ends, although nobody saw the last of them die. */
export const LOST_TOO_OFTEN_MESSAGE = `The run has lost ${LOSSES_BEFORE_END} workers in a row, the last of them while it was tried alone. ${WHAT_NOW}`;

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
         WHERE lost_workers > 0 AND completed_at IS NULL AND status IN ${WAITING}
           AND lost_workers >= ${LOSSES_BEFORE_QUARANTINE}::int AND due_at <= now()
         ORDER BY due_at LIMIT ${MOST_LOOKED_AT}) due) placed
     ORDER BY place, due_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

export type LostRunOutcome =
  | { readonly outcome: 'ended'; readonly channelKind: ChannelKind }
  /** The attempt was never opened, its result was written in time, or the run has moved on since. */
  | { readonly outcome: 'not_open' };

/**
 * Ends a run whose attempt `attemptId` died with the process that tried it alone: the run is `failed`, the
 * attempt `unknown` with `worker_lost`. Also when a sweeper has taken the lease back meanwhile, but not when another
 * attempt has begun: the number of the run's attempts is the fence. A result that is being written at this moment wins:
 * it sets the count of lost workers back, which is looked at again under the run's lock, as the attempt is not. The figures
 * have the attempt already when the run is not running any more.
 */
export async function endLostRun(
  db: UnboundDatabase,
  { runId, attemptId }: { runId: string; attemptId: string },
): Promise<LostRunOutcome> {
  const [ended] = await db.$queryRaw<{ channel_kind: ChannelKind }[]>`
    WITH closing AS (
      SELECT run.id AS run_id, run.channel_kind, attempt.number, 'failed' AS next_status, NULL::int8 AS delay_ms,
             run.lost_workers + (run.status = 'running')::int AS lost_workers, run.status = 'running' AS was_open,
             'unknown' AS status, 'worker_lost' AS error_code, ${ENDED_ALONE_MESSAGE}::text AS error_message,
             false AS retryable, ${NOT_MEASURED}
        FROM delivery_runs run
        JOIN attempts attempt ON attempt.run_id = run.id AND attempt.number = run.attempt_count
       WHERE run.id = ${runId}::uuid AND run.status IN ${STARTED} AND attempt.id = ${attemptId}::uuid
         AND run.lost_workers >= ${LOSSES_BEFORE_QUARANTINE}::int
         AND (attempt.status = 'running' OR attempt.status = 'unknown' AND attempt.error_code = 'worker_lost')
         FOR UPDATE OF run
    ), ${closeRuns('opened', { counted: Prisma.sql`count(*) FILTER (WHERE was_open)` })}
    SELECT channel_kind FROM moved`;
  return ended ? { outcome: 'ended', channelKind: ended.channel_kind } : { outcome: 'not_open' };
}
