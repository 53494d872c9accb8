import { databaseUrl, encryptionKeys, readEnvironment, type Specification } from '@postrider/config';
import { UsageError } from './usage-error.ts';

function read<S extends Specification>(specification: S, environment: NodeJS.ProcessEnv) {
  const result = readEnvironment(specification, environment);
  if (!result.ok) throw new UsageError(result.faults);
  return result.config;
}

/**
 * Reads what a command needs from the environment, the same variables as the services read, and the password of
 * an SMTP server, which would be seen by others as an argument. Throws one error that names every fault and
 * shows no value.
 */
export function readConfig(environment: NodeJS.ProcessEnv) {
  return {
    ...read({ databaseUrl, encryptionKeys }, environment),
    smtpPassword: environment.SMTP_PASSWORD || undefined,
  };
}

/** What migrating needs, where no secret of a channel is touched; see {@link readConfig}. */
export function readMigrationConfig(environment: NodeJS.ProcessEnv) {
  return read({ databaseUrl }, environment);
}
