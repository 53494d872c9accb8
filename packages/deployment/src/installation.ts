import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cleanup, startPostgres, startRedis } from '@postrider/local-stack';
import { type Artefact, assembleArtefact, type Target } from './artefacts/assemble.ts';

export type Artefacts = { readonly [Of in Target]: Artefact<Of> };

/** Assembles the artefacts of all images in a directory of their own, which goes with the clean-up. */
export async function assembleAll(cleanup: Cleanup): Promise<Artefacts> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'postrider-artefacts-')));
  cleanup.add(() => rm(directory, { recursive: true }));
  const assemble = <Of extends Target>(target: Of) => assembleArtefact(target, join(directory, target));
  return { api: await assemble('api'), worker: await assemble('worker'), cli: await assemble('cli') };
}

/** An empty database and a Redis, and the environment of processes that use them. */
export interface Installation {
  readonly databaseUrl: string;
  readonly adminToken: string;
  /**
   * The whole environment of a process, whatever its kind, that listens at `port`: nothing of this process'
   * own reaches the artefacts.
   */
  environment(port: number): NodeJS.ProcessEnv;
}

/** Starts both stores, which end with the clean-up. The database is not migrated. */
export async function openInstallation(cleanup: Cleanup): Promise<Installation> {
  const postgres = await startPostgres({ durable: false });
  cleanup.add(postgres.stop);
  const redis = await startRedis();
  cleanup.add(redis.stop);
  const adminToken = randomBytes(24).toString('hex');
  const shared: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEYS: `proof:${randomBytes(32).toString('base64')}`,
    ADMIN_TOKEN: adminToken,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  };
  return {
    databaseUrl: postgres.url,
    adminToken,
    environment: (port) => ({
      ...shared,
      PORT: String(port),
      WORKER_PORT: String(port),
      METRICS_PORT: '0',
    }),
  };
}
