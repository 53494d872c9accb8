import type { UnboundDatabase } from '../client.ts';

/**
 * Removes up to `limit` idempotency records older than 24 hours and returns how many went. Several sweepers
 * may call it at once. Rows are named by their place: a plan that is made before the limit is known would join
 * the whole table by its key. A record that is replaced between the look and the lock has another place, and
 * stays.
 */
export function deleteExpiredAnswers(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_records WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM idempotency_records
       WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}
