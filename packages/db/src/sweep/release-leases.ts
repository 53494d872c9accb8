import { type ChannelKind, isQuarantined, LOSSES_BEFORE_END } from '@postrider/domain';
import type { RunToEnqueue } from '../accept/types.ts';
import type { UnboundDatabase } from '../client.ts';
import { LOST_TOO_OFTEN_MESSAGE } from '../quarantine/messages.ts';

/** A run whose worker was lost, and what became of it. */
export interface ReleasedRun extends RunToEnqueue {
  readonly status: 'retrying' | 'failed';
  /** How many workers the run has now lost in a row. */
  readonly lostWorkers: number;
  /** Whether it waits to be tried alone: a job would not lead to it. */
  readonly isQuarantined: boolean;
}

/** What the column holds at most, some 25 days: a service that was away for longer must still get its runs back. */
const LONGEST_DURATION_MS = 2_147_483_647;

const LOST_MESSAGE =
  'The worker stopped answering during the attempt; whether it was delivered is not known.';

/**
 * Takes back the runs whose lease has run out by the database's clock: the open attempt becomes `unknown`
 * (`worker_lost`), and the run waits again, or is `failed` when its attempts are used up or it has lost
 * {@link LOSSES_BEFORE_END} workers in a row. It keeps the time at which it fell due, and so its place before all
 * that fell due later. The lost worker's late writes find another status or a higher fence and are refused. Several
 * sweepers may call it at once.
 */
export async function releaseExpiredLeases(db: UnboundDatabase, limit: number): Promise<ReleasedRun[]> {
  const rows = await db.$queryRaw<
    {
      id: string;
      channel_kind: ChannelKind;
      attempt_count: number;
      status: 'retrying' | 'failed';
      lost_workers: number;
    }[]
  >`
    WITH expired AS (
      SELECT id, attempt_count < max_attempts AND lost_workers + 1 < ${LOSSES_BEFORE_END}::int AS goes_on
        FROM delivery_runs WHERE status = 'running' AND lease_until < now()
       ORDER BY lease_until LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), released AS (
      UPDATE delivery_runs run
         SET status = CASE WHEN goes_on THEN 'retrying' ELSE 'failed' END,
             completed_at = CASE WHEN goes_on THEN NULL ELSE now() END,
             lease_until = NULL, lost_workers = lost_workers + 1
        FROM expired WHERE run.id = expired.id
      RETURNING run.id, run.channel_kind, run.attempt_count, run.status, run.lost_workers
    ), closed AS (
      UPDATE attempts attempt
         SET status = 'unknown', error_code = 'worker_lost', retryable = released.status = 'retrying',
             error_message = CASE WHEN released.lost_workers < ${LOSSES_BEFORE_END}::int THEN ${LOST_MESSAGE}
                                  ELSE ${LOST_TOO_OFTEN_MESSAGE} END,
             completed_at = now(),
             duration_ms = LEAST(extract(epoch FROM now() - attempt.started_at) * 1000, ${LONGEST_DURATION_MS}::int)::int
        FROM released WHERE attempt.run_id = released.id AND attempt.number = released.attempt_count
    )
    SELECT id, channel_kind, attempt_count, status, lost_workers FROM released`;
  return rows.map((row) => ({
    runId: row.id,
    channelKind: row.channel_kind,
    attempt: row.attempt_count + 1,
    delayMs: 0,
    status: row.status,
    lostWorkers: row.lost_workers,
    isQuarantined: row.status === 'retrying' && isQuarantined(row.lost_workers),
  }));
}
