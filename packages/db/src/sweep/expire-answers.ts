import type { Database } from '../client.ts';

/**
 * Removes up to `limit` idempotency records older than 24 hours and returns how many went. Several sweepers
 * may call it at once.
 */
export function deleteExpiredAnswers(db: Database, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_records WHERE (environment_id, operation, key) IN (
      SELECT environment_id, operation, key FROM idempotency_records
       WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
