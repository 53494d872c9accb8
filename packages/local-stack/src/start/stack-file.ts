import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lifetime } from './lifetime.ts';

/** The name, in a slot's directory, of the file that says how to reach the copy that runs there. */
const STACK_FILE = 'stack.json';

/**
 * Lets the `postrider` command find this running copy: the environment it needs, readable by nobody else, for as long
 * as the copy runs.
 */
export async function publishStack(
  directory: string,
  {
    databaseUrl,
    redisUrl,
    encryptionKeys,
  }: { databaseUrl: string; redisUrl: string; encryptionKeys: string },
  lifetime: Lifetime,
): Promise<void> {
  const path = join(directory, STACK_FILE);
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ENCRYPTION_KEYS: encryptionKeys };
  await rm(path, { force: true });
  await writeFile(path, `${JSON.stringify(environment, null, 2)}\n`, { mode: 0o600 });
  lifetime.onEnd(() => rm(path, { force: true }));
}
