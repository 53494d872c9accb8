import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cleanup, openWithCleanup, startPostgres, startRedis } from '@postrider/local-stack';
import { Redis } from 'ioredis';
import { type Helper, startHelper } from '../helper.ts';
import type { LoadGenerator } from '../load/loops.ts';
import type { Receivers } from '../receivers.ts';
import { type DatabaseServer, openDatabaseServer } from './databases.ts';
import type { Addresses } from './tenants.ts';

/** What all measures share: the stores, the receivers and the load generator, each in its own process. */
export interface Workbench {
  readonly databases: DatabaseServer;
  /** The first Redis database, for the floors. */
  readonly redisUrl: string;
  readonly redisVersion: string;
  readonly pids: { readonly postgres: number; readonly redis: number };
  readonly load: Helper<LoadGenerator>;
  readonly receivers: Helper<Receivers>;
  readonly addresses: Addresses;
  /** The key that the service encrypts secrets with. */
  readonly key: Buffer;
  readonly directory: string;
  /** Returns the URL of an unused Redis database. */
  takeRedisUrl(): string;
  /** Reserves `count` event numbers and returns the first. */
  takeReferences(count: number): number;
  close(): Promise<void>;
}

/** What an installation needs. */
export type Site = Pick<Workbench, 'key' | 'addresses' | 'directory' | 'takeRedisUrl'> & {
  readonly databases: Pick<DatabaseServer, 'create' | 'drop' | 'restrict'>;
};

/** The two ends of a load: the generator and the receivers. */
export type LoadEnds = Pick<Workbench, 'load' | 'receivers' | 'takeReferences'>;

/** Each installation of a run has its own Redis database; the floors have the first. */
const REDIS_DATABASES = 200;
/** As in the Compose file, nothing is persisted and a full Redis refuses writes. With this size it is never full. */
const REDIS_SETTINGS = ['maxmemory 4gb', `databases ${REDIS_DATABASES}`];

async function versionOfRedis(redisUrl: string): Promise<string> {
  const redis = new Redis(redisUrl);
  try {
    return /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown';
  } finally {
    redis.disconnect();
  }
}

async function bringUp(cleanup: Cleanup): Promise<Omit<Workbench, 'close'>> {
  const { keep } = cleanup;
  const directory = keep(await mkdtemp(join(tmpdir(), 'postrider-bench-')), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const postgres = keep(await startPostgres(), (server) => server.stop());
  const redisServer = keep(await startRedis({ settings: REDIS_SETTINGS }), (server) => server.stop());
  const databases = await openDatabaseServer(postgres.url);
  const receivers = keep(await startHelper<Receivers>('receivers'), (helper) => helper.close());
  const load = keep(await startHelper<LoadGenerator>('load/loops'), (helper) => helper.close());
  let nextReference = 1;
  let redisDatabases = 0;
  return {
    databases,
    redisUrl: redisServer.url,
    redisVersion: await versionOfRedis(redisServer.url),
    pids: { postgres: postgres.pid, redis: redisServer.pid },
    load,
    receivers,
    addresses: await receivers.ask('addresses', null),
    key: randomBytes(32),
    directory,
    takeRedisUrl() {
      redisDatabases += 1;
      return `${redisServer.url}/${redisDatabases}`;
    },
    takeReferences(count) {
      const first = nextReference;
      nextReference += count;
      return first;
    },
  };
}

/** Starts what all measures share; `close` ends it. */
export function openWorkbench(): Promise<Workbench> {
  return openWithCleanup(async (cleanup) => ({ ...(await bringUp(cleanup)), close: cleanup.run }));
}
