import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_ENVIRONMENT } from '@postrider/db';
import { createToken, createWebhookSecret } from '@postrider/domain';

/** What a slot keeps from start to start, so that a token or a stored secret of yesterday still works today. */
export interface Secrets {
  readonly adminToken: string;
  /** In the form of the environment variable ENCRYPTION_KEYS. */
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

/** Reads the slot's secrets; makes them at the first time, readable by nobody else. */
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
