import { arrays, unnest } from '../arrays.ts';
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
      SELECT * FROM ${unnest('sending', {
        run_id: arrays.uuid(attempts.map(({ runId }) => runId)),
        number: arrays.int4(attempts.map(({ attemptNumber }) => attemptNumber)),
        fence: arrays.int4(attempts.map(({ fence }) => fence)),
        sha256: arrays.bytea(attempts.map(({ sent }) => Buffer.from(sent.sha256, 'hex'))),
        exchange: arrays.jsonb(attempts.map(({ sent }) => sent.exchange)),
      })}
    ), open AS (
      SELECT attempt.run_id, attempt.number, sending.sha256, sending.exchange
        FROM sending
        JOIN attempts attempt ON attempt.run_id = sending.run_id AND attempt.number = sending.number AND attempt.fence = sending.fence
       WHERE attempt.completed_at IS NULL
         FOR NO KEY UPDATE OF attempt SKIP LOCKED
    )
    UPDATE attempts attempt SET content_sha256 = open.sha256, exchange = open.exchange
      FROM open WHERE attempt.run_id = open.run_id AND attempt.number = open.number`;
}
