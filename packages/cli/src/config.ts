import { parseEncryptionKeys } from '@postrider/domain';

export interface CliConfig {
  readonly databaseUrl: string;
  readonly encryptionKeys: Extract<ReturnType<typeof parseEncryptionKeys>, { keys: unknown }>['keys'];
}

/**
 * Reads what the command needs from the environment: `DATABASE_URL` and `ENCRYPTION_KEYS`, the same as the services use.
 * Throws one error that names every fault and shows no value.
 */
export function readConfig(env: NodeJS.ProcessEnv): CliConfig {
  const faults: string[] = [];
  const databaseUrl = env.DATABASE_URL ?? '';
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    faults.push('DATABASE_URL: set it to the postgres:// address of the installation');
  }
  const parsed = parseEncryptionKeys(env.ENCRYPTION_KEYS ?? '');
  if ('faults' in parsed) {
    faults.push(...parsed.faults.map((fault) => `ENCRYPTION_KEYS: ${fault}`));
  }
  if (faults.length > 0 || 'faults' in parsed) throw new UsageError(faults);
  return { databaseUrl, encryptionKeys: parsed.keys };
}

/** What the person who typed the command can mend; one line per fault. */
export class UsageError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
  }
}
