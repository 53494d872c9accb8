import { randomBytes } from 'node:crypto';
import { chooseFreePort } from '@postrider/rig/servers';
import { openWithCleanup } from '../cleanup.ts';
import { startRedis } from '../redis/start.ts';
import { type App, createService, productionEnvironment, type Service } from './service-process.ts';

export interface TestServiceOptions {
  readonly databaseUrl: string;
  /** Starts a worker beside the API, which may deliver to this machine. */
  readonly worker?: boolean;
  /** A Redis that is there already; one of its own by default. */
  readonly redisUrl?: string;
  /** Further environment variables of both. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The service as processes of its own, for tests of what talks to it over HTTP. */
export interface TestService {
  /** Of the API. */
  readonly url: string;
  readonly adminToken: string;
  readonly api: Service;
  /** Null where none was asked for. */
  readonly worker: Service | null;
  stop(): Promise<void>;
}

/** Starts the API, and a worker where asked for, and resolves when they are ready. */
export function startTestService(options: TestServiceOptions): Promise<TestService> {
  const { databaseUrl, env = {} } = options;
  return openWithCleanup(async (cleanup) => {
    const adminToken = randomBytes(24).toString('base64url');
    const redisUrl = options.redisUrl ?? cleanup.keep(await startRedis(), (redis) => redis.stop()).url;
    const key = { id: 'test', key: randomBytes(32) };
    // Tests use keys that production refuses.
    const apiPort = await chooseFreePort();
    const shared = {
      ...productionEnvironment({ databaseUrl, redisUrl, key }),
      PATH: process.env.PATH,
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
