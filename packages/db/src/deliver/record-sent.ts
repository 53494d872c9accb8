import type { Queryable } from '../client.ts';
import type { SentContent } from './finish.ts';

/** An open attempt, and what it sends. `runId` is a UUID. */
export interface SendingAttempt {
  readonly runId: string;
  readonly attemptNumber: number;
  readonly fence: number;
  readonly sent: SentContent;
}

/**
 * Stores what open attempts are about to send, so that it is known even if their worker is lost. The result of the attempt
 * replaces it. Attempts that are closed, or locked because they are being closed, are skipped: this never waits for a lock.
 */
export async function recordSent(db: Queryable, attempts: readonly SendingAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await db.$executeRaw`
    WITH sending AS (
      SELECT * FROM unnest(
        ${attempts.map(({ runId }) => runId)}::uuid[],
        ${attempts.map(({ attemptNumber }) => attemptNumber)}::int[],
        ${attempts.map(({ fence }) => fence)}::int[],
        ${attempts.map(({ sent }) => sent.sha256)}::text[],
        ${attempts.map(({ sent }) => JSON.stringify(sent.exchange))}::text[]
      ) AS sending (run_id, number, fence, sha256, exchange)
    ), open AS (
      SELECT attempt.run_id, attempt.number, sending.sha256, sending.exchange
        FROM sending
        JOIN attempts attempt ON attempt.run_id = sending.run_id AND attempt.number = sending.number AND attempt.fence = sending.fence
       WHERE attempt.completed_at IS NULL
         FOR NO KEY UPDATE OF attempt SKIP LOCKED
    )
    UPDATE attempts attempt SET content_sha256 = decode(open.sha256, 'hex'), exchange = open.exchange::jsonb
      FROM open WHERE attempt.run_id = open.run_id AND attempt.number = open.number`;
}
