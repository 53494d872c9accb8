import { isQuarantined, LOSSES_BEFORE_END } from '@postrider/domain';
import type { RunWakeUp } from '../accept/runs.ts';
import type { UnboundDatabase } from '../client.ts';
import { defineStatement, quoted } from '../statement.ts';
import { closeRuns, NOT_MEASURED } from './close.ts';
import { LOST_TOO_OFTEN_MESSAGE } from './lost-runs.ts';

/** A run whose worker was lost, with its new status. */
export interface ReleasedRun extends RunWakeUp {
  readonly status: 'retrying' | 'failed';
  /** How many workers the run has now lost in a row. */
  readonly lostWorkers: number;
  /** Whether the run is in quarantine and needs no job. */
  readonly isQuarantined: boolean;
}

const LOST_MESSAGE =
  'The worker stopped responding during the attempt; it is not known whether it was delivered.';

const release = defineStatement<{ readonly limit: number }, Omit<ReleasedRun, 'isQuarantined'>>({
  text: `
    WITH expired AS (
      SELECT run.id, channel_id, channel_kind, attempt_count, lost_workers + 1 AS lost_workers,
             attempt_count < max_attempts AND lost_workers + 1 < ${LOSSES_BEFORE_END} AS goes_on
        FROM attempts attempt JOIN delivery_runs run ON run.id = attempt.run_id AND run.attempt_count = attempt.number
       WHERE attempt.completed_at IS NULL AND attempt.started_at <= now()
         AND run.status = 'running' AND run.lease_until < now()
       ORDER BY attempt.started_at LIMIT :limit::int FOR NO KEY UPDATE OF run SKIP LOCKED
    ), closing AS (
      SELECT id AS run_id, channel_id, channel_kind, attempt_count AS number, lost_workers, NULL::int8 AS delay_ms,
             CASE WHEN goes_on THEN 'retrying' ELSE 'failed' END AS next_status,
             'unknown' AS status, 'worker_lost' AS error_code, goes_on AS retryable,
             CASE WHEN lost_workers < ${LOSSES_BEFORE_END} THEN ${quoted(LOST_MESSAGE)}
                  ELSE ${quoted(LOST_TOO_OFTEN_MESSAGE)} END AS error_message, ${NOT_MEASURED}
        FROM expired
    ), ${closeRuns('opened')}
    SELECT run_id AS "runId", channel_id AS "channelId", channel_kind AS "channelKind", 0 AS "delayMs", next_status AS status,
           lost_workers AS "lostWorkers"
      FROM moved`,
});

/**
 * Releases the runs whose lease has expired by the database clock. They are found by their open attempts, of which
 * there are at most as many as workers have slots. The open attempt becomes `unknown` (`worker_lost`). The run waits
 * for a retry, or becomes `failed` if no attempts are left or it has lost {@link LOSSES_BEFORE_END} workers in a row.
 * It keeps its due time, and so its position. Late writes of the lost worker find another status or a higher fence
 * and are rejected. Several sweeps may call it concurrently.
 */
export async function releaseExpiredLeases(db: UnboundDatabase, limit: number): Promise<ReleasedRun[]> {
  const rows = await release(db, { limit });
  return rows.map((run) => ({
    ...run,
    isQuarantined: run.status === 'retrying' && isQuarantined(run.lostWorkers),
  }));
}
