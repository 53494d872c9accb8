import { applyMigrations, withMigrationLock } from '../apply-migrations.ts';

/**
 * Applies the migrations up to and including `last`, for tests that need the schema of an earlier release. Leaves out what
 * `migrate` does after the migrations.
 */
export async function migrateUntil(databaseUrl: string, last: string): Promise<void> {
  await withMigrationLock(databaseUrl, (client) => applyMigrations(client, databaseUrl, { until: last }));
}
