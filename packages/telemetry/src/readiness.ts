import type { Readiness } from './health.ts';

export type ReadinessDeps = {
  /** Names of the migrations that are not applied; rejects when Postgres cannot be asked. */
  findPendingMigrations: () => Promise<readonly string[]>;
  isRedisReady: () => boolean;
};

/**
 * Whether a process can do its work: Postgres must answer and have every migration
 * (docs/specification.md, "Health and metrics"). Redis is reported and not required: waiting for it is part
 * of the work, and a restart would not bring it back.
 */
export async function checkReadiness({
  findPendingMigrations,
  isRedisReady,
}: ReadinessDeps): Promise<Readiness> {
  const redis = isRedisReady() ? 'ok' : 'unreachable (not required)';
  try {
    const { length } = await findPendingMigrations();
    const migrations = length === 0 ? 'ok' : `${length} pending`;
    return { ok: length === 0, checks: { postgres: 'ok', migrations, redis } };
  } catch {
    return { ok: false, checks: { postgres: 'unreachable', migrations: 'unknown', redis } };
  }
}
