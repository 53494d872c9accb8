import { randomBytes } from 'node:crypto';
import { chooseFreePort } from '@postrider/rig/servers';
import { openWithCleanup } from '../cleanup.ts';
import { startRedis } from '../redis/start.ts';
import { type App, createService, productionEnvironment, type Service } from './service-process.ts';

export interface TestServiceOptions {
  readonly databaseUrl: string;
  /** Whether to start a worker, too. It may deliver to this machine. */
  readonly worker?: boolean;
  /** The URL of an existing Redis; by default it starts one. */
  readonly redisUrl?: string;
  /** Further environment variables of both. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The service as separate processes, for tests of its HTTP clients. */
export interface TestService {
  /** The API's URL. */
  readonly url: string;
  readonly adminToken: string;
  readonly api: Service;
  /** Null if none was requested. */
  readonly worker: Service | null;
  stop(): Promise<void>;
}

/** Starts the API and, if requested, a worker. Resolves when they are ready. */
export function startTestService(options: TestServiceOptions): Promise<TestService> {
  const { databaseUrl, env = {} } = options;
  return openWithCleanup(async (cleanup) => {
    const adminToken = randomBytes(24).toString('base64url');
    const redisUrl = options.redisUrl ?? cleanup.keep(await startRedis(), (redis) => redis.stop()).url;
    const key = { id: 'test', key: randomBytes(32) };
    const apiPort = await chooseFreePort();
    const shared = {
      ...productionEnvironment({ databaseUrl, redisUrl, key }),
      PATH: process.env.PATH,
      // Not production, which refuses the weak keys of tests.
      NODE_ENV: 'test',
      PUBLIC_URL: `http://127.0.0.1:${apiPort}`,
    };
    const start = async (app: App, port?: number): Promise<Service> => {
      const service = await createService({ app, port, env: { ...shared, ADMIN_TOKEN: adminToken, ...env } });
      cleanup.add(service.kill);
      await service.start();
      return service;
    };
    const [api, worker] = await Promise.all([start('api', apiPort), options.worker ? start('worker') : null]);
    return { url: api.url, adminToken, api, worker, stop: cleanup.run };
  });
}
