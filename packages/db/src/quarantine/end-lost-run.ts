import { type ChannelKind, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import { closeRuns, NOT_MEASURED } from '../deliver/close-runs.ts';
import { STARTED } from '../run-statuses.ts';
import { ENDED_ALONE_MESSAGE } from './messages.ts';

export type LostRunOutcome =
  | { readonly outcome: 'ended'; readonly channelKind: ChannelKind }
  /** The attempt was never opened, its result was written in time, or the run has moved on since. */
  | { readonly outcome: 'not_open' };

/**
 * Ends a run whose attempt `attemptId` died with the process that tried it alone: the run is `failed`, the
 * attempt `unknown` with `worker_lost`. Also when a sweeper has taken the lease back meanwhile, but not when another
 * attempt has begun: the number of the run's attempts is the fence. A result that is being written at this moment wins:
 * it sets the count of lost workers back, which is looked at again under the run's lock, as the attempt is not.
 */
export async function endLostRun(
  db: UnboundDatabase,
  { runId, attemptId }: { runId: string; attemptId: string },
): Promise<LostRunOutcome> {
  const [ended] = await db.$queryRaw<{ channel_kind: ChannelKind }[]>`
    WITH closing AS (
      SELECT run.id AS run_id, run.channel_kind, attempt.number, 'failed' AS next_status, NULL::int8 AS delay_ms,
             run.lost_workers + CASE run.status WHEN 'running' THEN 1 ELSE 0 END AS lost_workers,
             'unknown' AS status, 'worker_lost' AS error_code, ${ENDED_ALONE_MESSAGE}::text AS error_message,
             false AS retryable, ${NOT_MEASURED}
        FROM delivery_runs run
        JOIN attempts attempt ON attempt.run_id = run.id AND attempt.number = run.attempt_count
       WHERE run.id = ${runId}::uuid AND run.status IN ${STARTED} AND attempt.id = ${attemptId}::uuid
         AND run.lost_workers >= ${LOSSES_BEFORE_QUARANTINE}::int
         AND (attempt.status = 'running' OR attempt.status = 'unknown' AND attempt.error_code = 'worker_lost')
         FOR UPDATE OF run
    ), ${closeRuns('opened')}
    SELECT channel_kind FROM moved`;
  return ended ? { outcome: 'ended', channelKind: ended.channel_kind } : { outcome: 'not_open' };
}
