import { databaseDirectUrl, databaseUrl, readEnvironment } from '@postrider/config';
import { isPooledDatabase } from '@postrider/domain';
import { UsageError } from './usage-error.ts';

/**
 * The database to migrate: a migration needs a session of its own, so that it goes past PgBouncer. Throws one
 * error that names every fault and shows no value.
 */
export function readMigrationConfig(environment: Readonly<Record<string, string | undefined>>): {
  databaseUrl: string;
} {
  const result = readEnvironment({ databaseUrl, databaseDirectUrl }, environment);
  if (!result.ok) throw new UsageError(...result.issues);
  const { config } = result;
  if (config.databaseDirectUrl !== null) return { databaseUrl: config.databaseDirectUrl };
  if (isPooledDatabase(config.databaseUrl)) {
    throw new UsageError('DATABASE_DIRECT_URL is required: no migration goes through PgBouncer');
  }
  return { databaseUrl: config.databaseUrl };
}
