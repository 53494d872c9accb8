import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Binary,
  cacheDirectoryOf,
  chooseFreePort,
  type Found,
  fetchDebian,
  findOnPath,
  startProgram,
} from '@postrider/rig/servers';
import { postgresAccount } from '../postgres/account.ts';

const PGBOUNCER = { packageName: 'pgbouncer', command: 'usr/sbin/pgbouncer' };
const READY = /process up/;

/** PgBouncer in transaction mode in front of one database. */
export interface PgBouncer {
  /** The URL without `pgbouncer=true`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Finds PgBouncer on the PATH, otherwise in the package of Debian or Ubuntu. */
export async function findPgBouncer(): Promise<Found<Binary>> {
  const path = `${process.env.PATH ?? ''}:/usr/sbin`;
  const installed = await findOnPath(path, ['pgbouncer']);
  if (installed) return { ok: true, value: { command: installed, libraryPath: [] } };
  return fetchDebian(PGBOUNCER, join(cacheDirectoryOf(process.env), 'pgbouncer'));
}

function configuration(target: URL, port: number, settings: readonly string[], poolSize: number): string {
  const quoted = (text: string) => `'${decodeURIComponent(text).replaceAll("'", "''")}'`;
  const database = [
    `host=${target.hostname}`,
    `port=${target.port || 5_432}`,
    `user=${quoted(target.username)}`,
    `password=${quoted(target.password)}`,
    ...(settings.length > 0
      ? [`connect_query=${quoted(settings.map((setting) => `SET ${setting}`).join('; '))}`]
      : []),
  ];
  return [
    '[databases]',
    `${target.pathname.slice(1)} = ${database.join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    '',
  ].join('\n');
}

/** Starts PgBouncer in front of `databaseUrl`. It executes `SET` for each of the settings on every server connection. */
export async function startPgBouncer(
  { command, libraryPath }: Binary,
  {
    databaseUrl,
    settings = [],
    poolSize = 4,
  }: { databaseUrl: string; settings?: readonly string[]; poolSize?: number },
): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'postrider-pgbouncer-'));
  const account = postgresAccount();
  const port = await chooseFreePort();
  const file = join(directory, 'pgbouncer.ini');
  // PgBouncer changes to the other account itself: the program and its libraries may be where only root can read.
  await chmod(directory, 0o755);
  await writeFile(file, configuration(target, port, settings, poolSize));
  const remove = () => rm(directory, { recursive: true, force: true });
  const program = await startProgram({
    name: 'PgBouncer',
    command,
    args: [...(account ? ['-u', account.name] : []), file],
    cwd: directory,
    stopSignal: 'SIGINT',
    env: { ...process.env, ...(libraryPath.length > 0 && { LD_LIBRARY_PATH: libraryPath.join(':') }) },
    removeWhenOrphaned: [directory],
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const stop = async () => {
    await program.kill();
    await remove();
  };
  if (!(await program.output.waitFor(READY))) {
    await stop();
    throw new Error(`PgBouncer did not start:\n${program.output.lastLines().join('\n')}`);
  }
  return { url: `postgresql://${target.username}@127.0.0.1:${port}${target.pathname}`, stop };
}
