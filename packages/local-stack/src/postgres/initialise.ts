import { randomBytes } from 'node:crypto';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@postrider/rig/servers';
import type { Account } from './account.ts';
import type { Binaries } from './place.ts';

export interface Cluster {
  readonly data: string;
  /** The password of the superuser `postgres`. It is needed because other accounts of the machine can reach the port. */
  readonly password: string;
}

async function readPassword(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/**
 * Creates a database cluster in `directory` unless there is one. Creates it under another name and renames it at the
 * end, so an interrupted start leaves nothing that looks complete.
 */
export async function initialiseCluster({
  binaries,
  account,
  directory,
  temporary,
  durable,
}: {
  binaries: Binaries;
  account: Account | null;
  directory: string;
  /** Whether the directory is removed when this process ends. */
  temporary: boolean;
  /** Whether the data must survive a crash of the machine. */
  durable: boolean;
}): Promise<Cluster> {
  const data = join(directory, 'data');
  const passwordFile = join(directory, 'password');
  const existing = await readPassword(passwordFile);
  if (existing !== null) return { data, password: existing };

  const partial = join(directory, 'data.partial');
  const partialPassword = join(directory, 'password.partial');
  await rm(partial, { recursive: true, force: true });
  await rm(data, { recursive: true, force: true });
  const password = randomBytes(18).toString('hex');
  await writeFile(partialPassword, password, { mode: 0o600 });
  if (account) await chown(partialPassword, account.uid, account.gid);
  const options = [
    ['-D', partial, '-U', 'postgres', '--pwfile', partialPassword, '--auth', 'scram-sha-256'],
    ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ['--no-sync', '--no-instructions'],
    // Fewer iterations make connecting faster. They also make guessing faster, which does not matter for data that is
    // thrown away.
    durable ? [] : ['--set', 'scram_iterations=1'],
  ].flat();
  const program = await startProgram({
    name: 'initdb',
    command: binaries.initdb,
    args: options,
    cwd: directory,
    ...(account && { account }),
    ...(temporary && { removeWhenOrphaned: [directory] }),
  });
  const { code } = await program.exited;
  if (code !== 0) throw new Error(`PostgreSQL's initdb failed:\n${program.output.lastLines().join('\n')}`);
  await rename(partial, data);
  await rename(partialPassword, passwordFile);
  return { data, password };
}
