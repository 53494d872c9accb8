import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { endingWith, type Program, startProgram } from '@postrider/rig/servers';
import getPort from 'get-port';
import { postgresAccount } from './account.ts';
import { type Cluster, initialiseCluster } from './initialise.ts';
import { type Binaries, createTemporaryDirectory, placeBinaries, placeData } from './place.ts';

export interface PostgresOptions {
  /** The directory of the data; by default a temporary one that is removed with the server. */
  readonly directory?: string;
  /** By default a free one. */
  readonly port?: number;
  /** False is faster, but data may be lost if the machine crashes, also because it may be in memory. Default: true. */
  readonly durable?: boolean;
  /**
   * Directories that are removed with that of the data if this process is killed while the server runs. By default only a
   * temporary `directory` is.
   */
  readonly removeWhenOrphaned?: readonly string[];
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Server {
  /** The URL with the administrator's credentials. */
  readonly url: string;
  readonly port: number;
  readonly program: Program;
  readonly pid: number;
  /** Stops the server gracefully and removes temporary directories. */
  stop(): Promise<void>;
  /** Kills the server (SIGKILL), like a crash, and removes temporary directories. */
  kill(): Promise<void>;
}

export interface PostgresServer extends Server {
  /** The actual directory of the data. It differs from the requested one if PostgreSQL's account cannot enter that. */
  readonly directory: string;
  /** The account that the server runs as; null for that of this process. */
  readonly accountName: string | null;
}

/** With a collector of the log nothing more is said here, and the server is about to be ready. */
const READY =
  /database system is ready to accept (?:read-only )?connections|redirecting log output to logging collector/;
const PORT_TAKEN = /could not bind|Address already in use/i;
/** Another program can take a port between its choice and its use. */
const PORT_TRIES = 5;
/** The server of a killed process needs a moment to notice, and holds the directory until then. */
const DIRECTORY_HELD = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/;
const DIRECTORY_TRIES = 40;
const DIRECTORY_PAUSE_MS = 500;

function serverArguments(
  cluster: Cluster,
  port: number,
  { durable = true, settings: further = {} }: PostgresOptions,
): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 400,
    lc_messages: 'C',
    logging_collector: 'off',
    // Less of the log is kept, because it may be in memory.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', max_wal_size: '512MB' }),
    ...further,
  };
  return [
    '-D',
    cluster.data,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
}

async function launch({
  binaries,
  cluster,
  directory,
  options,
}: {
  binaries: Binaries;
  cluster: Cluster;
  directory: string;
  options: PostgresOptions;
}): Promise<{ program: Program; port: number }> {
  const account = postgresAccount();
  const { removeWhenOrphaned: others } = options;
  const isTemporary = options.directory === undefined || others !== undefined;
  const removeWhenOrphaned = isTemporary ? [directory, ...(others ?? [])] : [];
  let portTries = PORT_TRIES;
  let directoryTries = DIRECTORY_TRIES;
  for (;;) {
    const port = options.port ?? (await getPort({ host: '127.0.0.1' }));
    const program = await startProgram({
      name: 'PostgreSQL',
      command: binaries.postgres,
      args: serverArguments(cluster, port, options),
      cwd: directory,
      stopSignal: 'SIGINT',
      ...(account && { account }),
      removeWhenOrphaned,
    });
    if (await program.output.waitFor(READY)) return { program, port };
    await program.stop();
    const said = program.output.lastLines().join('\n');
    portTries -= 1;
    if (PORT_TAKEN.test(said) && options.port === undefined && portTries > 0) continue;
    directoryTries -= 1;
    if (DIRECTORY_HELD.test(said) && directoryTries > 0) {
      await new Promise((done) => setTimeout(done, DIRECTORY_PAUSE_MS));
      continue;
    }
    throw new Error(`PostgreSQL did not start:\n${said}`);
  }
}

/**
 * Starts the PostgreSQL that npm has installed, on 127.0.0.1 only. If this process is root, the server runs as an
 * unprivileged account that the system already has. It ends with this process, even if that is killed.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const account = postgresAccount();
  const { durable = true } = options;
  const wanted = options.directory ?? (await createTemporaryDirectory({ durable }));
  const temporary = options.directory === undefined;
  const directory = await placeData(account, wanted);
  const removeTemporary = async () => {
    if (!temporary) return;
    await rm(directory, { recursive: true, force: true });
    await rm(resolve(wanted), { recursive: true, force: true });
  };
  try {
    const binaries = await placeBinaries(account);
    const cluster = await initialiseCluster({ binaries, account, directory, temporary, durable });
    const { program, port } = await launch({ binaries, cluster, directory, options });
    return {
      url: `postgresql://postgres:${cluster.password}@127.0.0.1:${port}/postgres`,
      port,
      program,
      pid: program.pid,
      directory,
      accountName: account?.name ?? null,
      ...endingWith(program, removeTemporary),
    };
  } catch (error) {
    await removeTemporary();
    throw error;
  }
}
