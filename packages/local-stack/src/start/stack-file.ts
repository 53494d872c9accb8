import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lifetime } from './lifetime.ts';

/** The name, in a slot's directory, of the file that says how to reach the copy that runs there. */
const STACK_FILE = 'stack.json';

interface StackEnvironment {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly encryptionKeys: string;
  readonly apiPort: number;
  readonly adminToken: string;
  /** Of the demo's environment. */
  readonly token: string;
}

/**
 * Lets the `postrider` command find this running copy: the environment it needs, readable by nobody else, for as long
 * as the copy runs.
 */
export async function publishStack(
  directory: string,
  stack: StackEnvironment,
  lifetime: Lifetime,
): Promise<void> {
  const path = join(directory, STACK_FILE);
  const environment = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    ENCRYPTION_KEYS: stack.encryptionKeys,
    POSTRIDER_URL: `http://127.0.0.1:${stack.apiPort}`,
    ADMIN_TOKEN: stack.adminToken,
    POSTRIDER_TOKEN: stack.token,
  };
  await rm(path, { force: true });
  await writeFile(path, `${JSON.stringify(environment, null, 2)}\n`, { mode: 0o600 });
  lifetime.onEnd(() => rm(path, { force: true }));
}
