import type { IdSource } from '@postrider/domain';
import type { Queryable } from '../client.ts';

/** What the attempt says that ends a run whose channel is gone. */
export const CHANNEL_GONE_MESSAGE = 'The channel was deleted or disabled before the run was taken.';

/**
 * Ends waiting runs of a channel that is deleted: `failed`, with an attempt `channel_disabled`
 * (docs/specification.md, "Delivery run states"). Returns how many: less than `limit` when none are left but
 * those that a worker or a cancel holds right now.
 */
export function endWaitingRuns(
  db: Queryable,
  newId: IdSource,
  { channelId, limit }: { channelId: string; limit: number },
): Promise<number> {
  const attemptIds = Array.from({ length: limit }, newId);
  return db.$executeRaw`
    WITH target AS (
      SELECT id FROM delivery_runs
       WHERE channel_id = ${channelId}::uuid AND status IN ('scheduled', 'queued', 'retrying')
       ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), numbered AS (
      SELECT id, row_number() OVER () AS place FROM target
    ), ended AS (
      UPDATE delivery_runs run
         SET status = 'failed', completed_at = now(), attempt_count = run.attempt_count + 1
        FROM numbered WHERE run.id = numbered.id
      RETURNING run.id, run.attempt_count, run.fence, numbered.place
    )
    INSERT INTO attempts (run_id, number, id, fence, status, error_code, error_message, retryable, started_at,
                          completed_at, duration_ms)
    SELECT ended.id, attempt_count, attempt.id, fence, 'failed', 'channel_disabled', ${CHANNEL_GONE_MESSAGE}, false,
           now(), now(), 0
      FROM ended JOIN unnest(${attemptIds}::uuid[]) WITH ORDINALITY AS attempt (id, place) USING (place)`;
}
