import type { SentContent } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';
import type { ClaimedRun } from './claimed-run.ts';

/** A run that is being sent. */
export type SendingRun = Pick<ClaimedRun, 'runId' | 'attemptNumber' | 'fence'> & {
  readonly sent: SentContent;
};

const record = defineStatement<readonly SendingRun[], never>({
  text: `
    WITH sending AS (
      SELECT unnest((SELECT :runId::uuid[])) AS run_id, unnest(:attemptNumber::int[]) AS number, unnest(:fence::int[]) AS fence,
             unnest(:hashes::bytea[]) AS sha256, unnest(:exchanges::jsonb[]) AS exchange
    ), open AS (
      SELECT attempt.run_id, attempt.number, sending.sha256, sending.exchange
        FROM sending
        JOIN attempts attempt ON attempt.run_id = sending.run_id AND attempt.number = sending.number AND attempt.fence = sending.fence
       WHERE attempt.completed_at IS NULL
         FOR NO KEY UPDATE OF attempt SKIP LOCKED
    )
    UPDATE attempts attempt SET content_sha256 = open.sha256, exchange = open.exchange
      FROM open WHERE attempt.run_id = open.run_id AND attempt.number = open.number`,
  parameters: {
    hashes: (runs) => runs.map(({ sent }) => Buffer.from(sent.sha256, 'hex')),
    exchanges: (runs) => runs.map(({ sent }) => JSON.stringify(sent.exchange)),
  },
});

/**
 * Stores what open attempts are about to send, so that it is known even if their worker is lost. The result of the attempt
 * replaces it. Attempts that are closed, or locked because they are being closed, are skipped: this never waits for a lock.
 */
export async function recordSent(db: Queryable, runs: readonly SendingRun[]): Promise<void> {
  if (runs.length > 0) await record(db, runs);
}
