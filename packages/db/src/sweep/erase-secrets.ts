import type { Database } from '../client.ts';

/**
 * Erases the webhook secrets whose overlap is over and returns how many. Until then a claim leaves them out
 * by its own look at the time.
 */
export function eraseExpiredSecrets(db: Database): Promise<number> {
  return db.$executeRaw`
    UPDATE channels SET sealed_previous_secret = NULL, previous_secret_expires_at = NULL
     WHERE previous_secret_expires_at <= now()`;
}
