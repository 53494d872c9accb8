import { databaseUrl, readEnvironment } from '@postrider/config';
import { UsageError } from './usage-error.ts';

/** What migrating needs of the environment. Throws one error that names every fault and shows no value. */
export function readMigrationConfig(environment: Readonly<Record<string, string | undefined>>) {
  const result = readEnvironment({ databaseUrl }, environment);
  if (!result.ok) throw new UsageError(...result.faults);
  return result.config;
}
