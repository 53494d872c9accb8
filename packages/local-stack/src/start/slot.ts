import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createToken, createWebhookSecret, formatId } from '@postrider/domain';
import { tryLock } from '../../process-lock.mjs';
import type { Lifetime } from './lifetime.ts';
import { DEMO_ENVIRONMENT } from './seed.ts';

interface Slot {
  readonly directory: string;
  release(): Promise<void>;
}

/** More copies than anybody runs from one clone. */
const MAX_SLOTS = 32;

/**
 * Claims the first of `.local/1`, `.local/2`, … that no other running copy has. The claim ends with this process, so the
 * next start finds the same data again.
 */
export async function takeSlot(localDirectory: string): Promise<Slot> {
  await mkdir(localDirectory, { recursive: true, mode: 0o755 });
  for (let number = 1; number <= MAX_SLOTS; number += 1) {
    const held = await tryLock(localDirectory, `slot-${number}`);
    if (!held) continue;
    const directory = join(localDirectory, String(number));
    await mkdir(directory, { recursive: true, mode: 0o755 });
    return { directory, release: held.release };
  }
  throw new Error(`${MAX_SLOTS} copies of this checkout are running already.`);
}

/** Secrets that a slot keeps, so that tokens and encrypted secrets still work after a restart. */
export interface Secrets {
  readonly adminToken: string;
  /** The value of the environment variable ENCRYPTION_KEYS. */
  readonly encryptionKeys: string;
  readonly token: string;
  readonly webhookSecret: string;
}

function createSecrets(): Secrets {
  return {
    adminToken: randomBytes(24).toString('base64url'),
    encryptionKeys: `local:${randomBytes(32).toString('base64')}`,
    token: createToken(DEMO_ENVIRONMENT),
    webhookSecret: createWebhookSecret(),
  };
}

/** Reads the slot's secrets. Creates them the first time, readable only by this account. */
export async function keepSecrets(directory: string): Promise<Secrets> {
  const path = join(directory, 'secrets.json');
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (kept !== null) return JSON.parse(kept);
  const secrets = createSecrets();
  await writeFile(`${path}.partial`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.partial`, path);
  return secrets;
}

/** The file in a slot's directory that says how to reach the running copy. */
const STACK_FILE = 'stack.json';

interface StackEnvironment {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly encryptionKeys: string;
  readonly apiPort: number;
  readonly adminToken: string;
  /** An API token of the demo's environment. */
  readonly token: string;
  readonly environmentId: string;
}

/** The variables with which the `postrider` command reaches a copy. */
export interface StackVariables {
  readonly POSTRIDER_URL: string;
  readonly ADMIN_TOKEN: string;
  readonly POSTRIDER_TOKEN: string;
  readonly POSTRIDER_ENVIRONMENT: string;
}

/**
 * Lets the `postrider` command find this copy while it runs: writes the environment that the command needs, readable
 * only by this account.
 */
export async function publishStack(
  directory: string,
  stack: StackEnvironment,
  lifetime: Lifetime,
): Promise<StackVariables> {
  const path = join(directory, STACK_FILE);
  const environment = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    ENCRYPTION_KEYS: stack.encryptionKeys,
    POSTRIDER_URL: `http://localhost:${stack.apiPort}`,
    ADMIN_TOKEN: stack.adminToken,
    POSTRIDER_TOKEN: stack.token,
    POSTRIDER_ENVIRONMENT: formatId('env', stack.environmentId),
  };
  await rm(path, { force: true });
  await writeFile(path, `${JSON.stringify(environment, null, 2)}\n`, { mode: 0o600 });
  lifetime.onEnd(() => rm(path, { force: true }));
  return environment;
}
