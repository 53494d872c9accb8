import { type ChannelRegistry, channelKinds } from '@postrider/channels';
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

/**
 * Erases up to `limit` webhook secrets whose overlap is over and returns how many. Until then a claim leaves
 * them out by its own look at the time. A channel that somebody else holds is left for a later round: several
 * sweepers, rotation and re-encryption may go on at once, and none waits for this one's rows in another order.
 */
export function eraseExpiredSecrets(
  db: UnboundDatabase,
  limit: number,
  kinds: ChannelRegistry = channelKinds,
): Promise<number> {
  const rotated = kinds.definitions.flatMap(({ secret }) => secret?.rotatedCredentials ?? []);
  return db.$executeRaw`
    UPDATE channels
       SET sealed_previous_secret = NULL, previous_secret_expires_at = NULL,
           sealed_credentials = sealed_credentials - ${rotated.map(({ previous }) => previous)}::text[]
     WHERE id = ANY(ARRAY(
       SELECT id FROM channels WHERE previous_secret_expires_at <= now()
        ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED))`;
}
