import { databaseUrl, encryptionKeys, readEnvironment } from '@postrider/config';
import { UsageError } from './usage-error.ts';

/**
 * Reads what the command needs from the environment, the same variables as the services read. Throws one
 * error that names every fault and shows no value.
 */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const read = readEnvironment({ databaseUrl, encryptionKeys }, environment);
  if (!read.ok) throw new UsageError(read.faults);
  return read.config;
}
