import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endingWith, type Program, startProgram } from '@postrider/rig/servers';
import getPort from 'get-port';
import type { Server } from '../postgres/start.ts';
import { findRedis, type RedisBinary } from './find.ts';

export interface RedisOptions {
  /** The directory of the configuration and, if `durable`, the data; by default a temporary one, removed with the server. */
  readonly directory?: string;
  /** By default a free one. */
  readonly port?: number;
  /** The password of the only account, by default random. Set it to start the same Redis again at the same address. */
  readonly password?: string;
  /** Whether to keep an append-only file. Default: false; then no data survives the end. */
  readonly durable?: boolean;
  /** Further lines of redis.conf, for example `maxmemory 4mb`. */
  readonly settings?: readonly string[];
}

export interface RedisServer extends Server {
  readonly password: string;
}

const READY = /Ready to accept connections/i;
const PORT_TAKEN = /Address already in use|Could not create server TCP listening socket/i;
/** Another program can take a port between its choice and its use. */
const PORT_TRIES = 5;

async function launch({
  binary,
  directory,
  password,
  options,
}: {
  binary: RedisBinary;
  directory: string;
  password: string;
  options: RedisOptions;
}): Promise<{ program: Program; port: number }> {
  const configFile = join(directory, 'redis.conf');
  for (let tries = PORT_TRIES; ; tries -= 1) {
    const port = options.port ?? (await getPort({ host: '127.0.0.1' }));
    const lines = [
      'bind 127.0.0.1',
      `port ${port}`,
      `requirepass ${password}`,
      'maxmemory-policy noeviction',
      'save ""',
      `appendonly ${options.durable ? 'yes' : 'no'}`,
      ...(options.settings ?? []),
    ];
    await writeFile(configFile, `${lines.join('\n')}\n`, { mode: 0o600 });
    const libraries = binary.libraryPath.join(':');
    const program = await startProgram({
      name: 'Redis',
      command: binary.command,
      args: [configFile],
      cwd: directory,
      env: libraries ? { ...process.env, LD_LIBRARY_PATH: libraries } : process.env,
      ...(options.directory === undefined && { removeWhenOrphaned: [directory] }),
    });
    if (await program.output.waitFor(READY)) return { program, port };
    await program.stop();
    const said = program.output.lastLines().join('\n');
    if (PORT_TAKEN.test(said) && options.port === undefined && tries > 1) continue;
    throw new Error(`Redis did not start:\n${said}`);
  }
}

/** Starts a Redis on 127.0.0.1 only, with a password. It ends with this process, even if that is killed. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const binary = await findRedis();
  const temporary = options.directory === undefined;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'postrider-redis-')));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const removeTemporary = async () => {
    if (temporary) await rm(directory, { recursive: true, force: true });
  };
  const password = options.password ?? randomBytes(18).toString('hex');
  try {
    const { program, port } = await launch({ binary, directory, password, options });
    return {
      url: `redis://:${password}@127.0.0.1:${port}`,
      port,
      password,
      program,
      pid: program.pid,
      ...endingWith(program, removeTemporary),
    };
  } catch (error) {
    await removeTemporary();
    throw error;
  }
}
