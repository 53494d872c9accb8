import { type KindFacts, SERVICE_KINDS } from '@postrider/domain';
import { Prisma, type UnboundDatabase } from '../client.ts';

/**
 * Removes up to `limit` idempotency records older than 24 hours. Returns how many. Several sweeps may call it
 * concurrently. Rows are addressed by their physical position (ctid), because a generic plan would join the whole
 * table by its key. A record that was replaced before it is locked has another position and stays.
 */
export function deleteExpiredAnswers(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_records WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM idempotency_records
       WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}

/**
 * Erases up to `limit` secrets whose overlap is over. Returns how many. Until then, claims ignore them by checking
 * the time. Channels locked by others are left for a later round, so sweeps, rotation and re-encryption never wait
 * for each other in different orders.
 */
export function eraseExpiredSecrets(
  db: UnboundDatabase,
  limit: number,
  kinds: readonly KindFacts[] = SERVICE_KINDS,
): Promise<number> {
  const rotated = kinds.flatMap(({ rotatedCredentials = [] }) => rotatedCredentials);
  return db.$executeRaw`
    UPDATE channels
       SET sealed_previous_secret = NULL, previous_secret_expires_at = NULL,
           sealed_credentials = sealed_credentials - ${rotated.map(({ previous }) => previous)}::text[]
     WHERE id = ANY(ARRAY(
       SELECT id FROM channels WHERE previous_secret_expires_at <= now()
        ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED))`;
}

/**
 * The tables whose rows end by time alone: sessions and links of the console, sign-ins of the command line that nobody finished, sessions
 * of the portal with their links, and suppressions.
 */
type ExpiringTable = 'console_sessions' | 'device_logins' | 'portal_links' | 'suppressions';

/** Removes up to `limit` rows of a table that have ended by time. Returns how many. */
export function deleteExpiredRows(db: UnboundDatabase, table: ExpiringTable, limit: number): Promise<number> {
  const name = Prisma.raw(table);
  return db.$executeRaw`
    DELETE FROM ${name} WHERE id = ANY(ARRAY(
      SELECT id FROM ${name} WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit}))`;
}

/** How long the usage of a consumer is kept, in days after its month began: as long as figures by hour. */
const CONSUMER_USAGE_DAYS = 400;

/**
 * Removes up to `limit` old months of the usage of consumers, oldest first. Returns how many. The usage of tenants and environments is
 * kept. The index is on `period_start + 0`, which is not leakproof: under row-level security it only gives the order.
 */
export function removeOldConsumerUsage(db: UnboundDatabase, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM consumer_usage WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM (SELECT ctid, period_start FROM consumer_usage ORDER BY period_start + 0 LIMIT ${limit}) AS oldest
       WHERE period_start < CURRENT_DATE - ${CONSUMER_USAGE_DAYS}::int))`;
}
