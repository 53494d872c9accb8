import { type Database, pendingMigrations } from '@postrider/db';
import type { Readiness } from '@postrider/telemetry';

export interface ReadinessDeps {
  readonly db: Database;
  readonly isRedisReady: () => boolean;
  readonly areConsumersRunning: () => boolean;
}

/** The names of migrations that are not applied, or null when Postgres cannot be asked. */
async function findPending(db: Database): Promise<string[] | null> {
  try {
    return await pendingMigrations(db);
  } catch {
    return null;
  }
}

/**
 * Whether the worker can do its work: Postgres reachable and migrated (contract section 9). Redis is reported
 * and not required: waiting for it is part of the work, and restarting would not bring it back.
 */
export async function checkReadiness(deps: ReadinessDeps): Promise<Readiness> {
  const pending = await findPending(deps.db);
  const isCurrent = pending?.length === 0;
  return {
    ok: isCurrent,
    checks: {
      postgres: pending ? 'reachable' : 'unreachable',
      migrations: pending ? (isCurrent ? 'current' : 'pending') : 'unknown',
      redis: deps.isRedisReady() ? 'reachable' : 'unreachable',
      consumers: deps.areConsumersRunning() ? 'running' : 'stopped',
    },
  };
}
