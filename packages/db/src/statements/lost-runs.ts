import { type ChannelKind, LOSSES_BEFORE_END, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import { STARTED, WAITING } from '../run-statuses.ts';
import { defineStatement, differentValues, quoted } from '../statement.ts';
import { closeRuns, NOT_MEASURED } from './close.ts';

/**
 * The end of the last attempt's error message. Tenants read it: whether something was delivered, and what they can
 * do.
 */
const WHAT_NOW =
  'It is not known whether it was delivered. It is not retried; it can be replayed once the cause is fixed.';

/** The run ended a process that handled only this run. */
const ENDED_ALONE_MESSAGE = `The run was tried alone, after it had lost several workers, and ended the process that tried it. ${WHAT_NOW}`;

/** The run lost so many workers that it ends, although the end of the last one was not observed. */
export const LOST_TOO_OFTEN_MESSAGE = `The run has lost ${LOSSES_BEFORE_END} workers in a row, the last of them while it was tried alone. ${WHAT_NOW}`;

/** The most runs of a channel that are found at once, oldest first. */
const PER_CHANNEL = 5;

/** A run that waits in quarantine. Ids are UUIDs. */
export interface QuarantinedRun {
  readonly runId: string;
  readonly channelId: string;
}

interface QuarantineAsk {
  readonly limit: number;
  readonly withoutChannels: readonly string[];
}

/**
 * Due runs in quarantine, up to `limit`, without those of some channels: the oldest of every channel first, then the second of
 * every channel, so that a channel with a hanging endpoint delays the others as little as possible. At most {@link PER_CHANNEL}
 * of a channel, so its runs never hide those of another. The search skips from channel to channel in the index
 * `delivery_runs_lost_workers`. The condition on one loss matches the index, whatever the limit for quarantine is.
 */
export const findQuarantinedRuns = defineStatement<QuarantineAsk, QuarantinedRun>({
  text: `
    WITH RECURSIVE ${differentValues('losing', 'channel_id', 'delivery_runs WHERE lost_workers > 0 AND completed_at IS NULL')}
    SELECT run.id AS "runId", losing.channel_id AS "channelId"
      FROM losing
     CROSS JOIN LATERAL (
       SELECT first.*, row_number() OVER (ORDER BY due_at, id) AS place FROM (
         SELECT id, due_at FROM delivery_runs
          WHERE channel_id = losing.channel_id AND lost_workers > 0 AND completed_at IS NULL AND status IN ${WAITING.sql}
            AND lost_workers >= ${LOSSES_BEFORE_QUARANTINE} AND due_at <= now()
          ORDER BY due_at, id LIMIT ${PER_CHANNEL}) first) run
     WHERE losing.channel_id <> ALL (:withoutChannels::uuid[])
     ORDER BY run.place, run.due_at LIMIT :limit::int`,
});

type LostRunOutcome =
  | { readonly outcome: 'ended'; readonly channelKind: ChannelKind }
  /** The attempt was never opened, its result was written in time, or the run has changed since. */
  | { readonly outcome: 'not_open' };

interface LostRun {
  readonly runId: string;
  readonly attemptId: string;
}

const end = defineStatement<LostRun, { channel_kind: ChannelKind }>({
  text: `
    WITH closing AS (
      SELECT run.id AS run_id, run.channel_kind, attempt.number, 'failed' AS next_status, NULL::int8 AS delay_ms,
             run.lost_workers + (run.status = 'running')::int AS lost_workers, run.status = 'running' AS was_open,
             'unknown' AS status, 'worker_lost' AS error_code, ${quoted(ENDED_ALONE_MESSAGE)} AS error_message,
             false AS retryable, ${NOT_MEASURED}
        FROM delivery_runs run
        JOIN attempts attempt ON attempt.run_id = run.id AND attempt.number = run.attempt_count
       WHERE run.id = :runId::uuid AND run.status IN ${STARTED.sql} AND attempt.id = :attemptId::uuid
         AND run.lost_workers >= ${LOSSES_BEFORE_QUARANTINE}
         AND (attempt.status = 'running' OR attempt.status = 'unknown' AND attempt.error_code = 'worker_lost')
         FOR UPDATE OF run
    ), ${closeRuns('opened', { counted: 'count(*) FILTER (WHERE was_open)' })}
    SELECT channel_kind FROM moved`,
});

/**
 * Ends a run whose attempt `attemptId` died with its isolated process: the run is `failed`, the attempt `unknown`
 * with `worker_lost`. This also applies if a sweep has released the lease meanwhile, but not if another attempt has
 * begun: the number of attempts is the fence. A result that is being written wins: it resets the count of lost
 * workers, which is checked again under the run's lock. If the run is no longer running, the figures already include
 * the attempt.
 */
export async function endLostRun(db: UnboundDatabase, run: LostRun): Promise<LostRunOutcome> {
  const [ended] = await end(db, run);
  return ended ? { outcome: 'ended', channelKind: ended.channel_kind } : { outcome: 'not_open' };
}
