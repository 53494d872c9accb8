import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cleanup, startPostgres, startRedis } from '@postrider/local-stack';
import { productionEnvironment } from '@postrider/local-stack/testing';
import { type Artefact, assembleArtefact, type Target } from './artefacts/assemble.ts';

export type Artefacts = { readonly [Of in Target]: Artefact<Of> };

/** Assembles the artefacts of all images in a directory that the clean-up removes. */
export async function assembleAll(cleanup: Cleanup): Promise<Artefacts> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'postrider-artefacts-')));
  cleanup.add(() => rm(directory, { recursive: true }));
  const assemble = <Of extends Target>(target: Of) => assembleArtefact(target, join(directory, target));
  return { api: await assemble('api'), worker: await assemble('worker'), cli: await assemble('cli') };
}

/** An empty database, a Redis, and the environment of processes that use them. */
export interface Installation {
  readonly databaseUrl: string;
  readonly adminToken: string;
  /** The complete environment of a process of either app, except for its port. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Starts both stores, which the clean-up ends. The database is not migrated. */
export async function openInstallation(cleanup: Cleanup): Promise<Installation> {
  const postgres = cleanup.keep(await startPostgres({ durable: false }), (server) => server.stop());
  const redis = cleanup.keep(await startRedis(), (server) => server.stop());
  const adminToken = randomBytes(24).toString('hex');
  const key = { id: 'proof', key: randomBytes(32) };
  const stores = { databaseUrl: postgres.url, redisUrl: redis.url, key };
  return {
    databaseUrl: postgres.url,
    adminToken,
    environment: { ...productionEnvironment(stores), ADMIN_TOKEN: adminToken },
  };
}
