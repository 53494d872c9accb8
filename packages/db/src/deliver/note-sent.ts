import type { Queryable } from '../client.ts';
import type { SentContent } from './finish.ts';

/** An open attempt, and what it sends. Ids are UUIDs. */
export interface SentNote {
  readonly runId: string;
  readonly attemptNumber: number;
  readonly fence: number;
  readonly sent: SentContent;
}

/**
 * Stores what open attempts send before their results are known, so that it stays if their worker is lost. A result that is
 * written later takes its place. One that is closed, or is being closed, is left alone: this waits for no other transaction.
 */
export async function noteSent(db: Queryable, notes: readonly SentNote[]): Promise<void> {
  if (notes.length === 0) return;
  await db.$executeRaw`
    WITH note AS (
      SELECT * FROM unnest(
        ${notes.map(({ runId }) => runId)}::uuid[],
        ${notes.map(({ attemptNumber }) => attemptNumber)}::int[],
        ${notes.map(({ fence }) => fence)}::int[],
        ${notes.map(({ sent }) => sent.sha256)}::text[],
        ${notes.map(({ sent }) => JSON.stringify(sent.exchange))}::text[]
      ) AS note (run_id, number, fence, sha256, exchange)
    ), open AS (
      SELECT attempt.run_id, attempt.number, note.sha256, note.exchange
        FROM note
        JOIN attempts attempt ON attempt.run_id = note.run_id AND attempt.number = note.number AND attempt.fence = note.fence
       WHERE attempt.completed_at IS NULL
         FOR NO KEY UPDATE OF attempt SKIP LOCKED
    )
    UPDATE attempts attempt SET content_sha256 = decode(open.sha256, 'hex'), exchange = open.exchange::jsonb
      FROM open WHERE attempt.run_id = open.run_id AND attempt.number = open.number`;
}
