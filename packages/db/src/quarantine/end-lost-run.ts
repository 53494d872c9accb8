import { type ChannelKind, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
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
    WITH lost AS (
      SELECT run.id, attempt.number FROM delivery_runs run
        JOIN attempts attempt ON attempt.run_id = run.id AND attempt.number = run.attempt_count
       WHERE run.id = ${runId}::uuid AND run.status IN ('running', 'retrying') AND attempt.id = ${attemptId}::uuid
         AND run.lost_workers >= ${LOSSES_BEFORE_QUARANTINE}::int
         AND (attempt.status = 'running' OR attempt.status = 'unknown' AND attempt.error_code = 'worker_lost')
         FOR UPDATE OF run
    ), ended AS (
      UPDATE delivery_runs run
         SET status = 'failed', completed_at = now(), lease_until = NULL,
             lost_workers = lost_workers + CASE run.status WHEN 'running' THEN 1 ELSE 0 END
        FROM lost WHERE run.id = lost.id
      RETURNING run.id, run.channel_kind, lost.number
    ), closed AS (
      UPDATE attempts attempt
         SET status = 'unknown', error_code = 'worker_lost', error_message = ${ENDED_ALONE_MESSAGE}, retryable = false,
             completed_at = COALESCE(attempt.completed_at, now()),
             duration_ms = COALESCE(attempt.duration_ms, (extract(epoch FROM now() - attempt.started_at) * 1000)::int)
        FROM ended WHERE attempt.run_id = ended.id AND attempt.number = ended.number
    )
    SELECT channel_kind FROM ended`;
  return ended ? { outcome: 'ended', channelKind: ended.channel_kind } : { outcome: 'not_open' };
}
