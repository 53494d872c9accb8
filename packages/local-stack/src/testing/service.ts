import { randomBytes } from 'node:crypto';
import { type Cleanup, createCleanup } from '../cleanup.ts';
import { startRedis } from '../redis/start.ts';
import { waitUntilReady } from '../start/wait-until-ready.ts';
import { type App, type AppProcess, type Form, startAppProcess } from './app-process.ts';

/** Where the test's own receivers listen. */
const LOOPBACK = '127.0.0.0/8,::1/128';

export interface TestServiceOptions {
  readonly databaseUrl: string;
  /** Starts a worker beside the API, which may deliver to this machine. */
  readonly worker?: boolean;
  /** A Redis that is there already; one of its own by default. */
  readonly redisUrl?: string;
  /** Further environment variables of both. */
  readonly env?: NodeJS.ProcessEnv;
  /** From sources unless said. */
  readonly form?: Form;
}

/** The service as processes of its own, for tests of what talks to it over HTTP. */
export interface TestService {
  /** Of the API. */
  readonly url: string;
  readonly adminToken: string;
  readonly api: AppProcess;
  /** Null where none was asked for. */
  readonly worker: AppProcess | null;
  stop(): Promise<void>;
}

async function startOwnRedis(cleanup: Cleanup): Promise<string> {
  const redis = await startRedis();
  cleanup.add(redis.stop);
  return redis.url;
}

/** Starts the API, and a worker where asked for, and resolves when they can do their work. */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const { databaseUrl, worker: withWorker = false, env = {}, form } = options;
  const adminToken = randomBytes(24).toString('base64url');
  const cleanup = createCleanup((error) => process.stderr.write(`${error}\n`));
  const redisUrl = options.redisUrl ?? (await startOwnRedis(cleanup));
  const shared: NodeJS.ProcessEnv = {
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    EGRESS_ALLOW_CIDRS: LOOPBACK,
    ...env,
  };

  async function startApp(app: App): Promise<AppProcess> {
    const started = await startAppProcess(app, shared, undefined, form);
    cleanup.add(started.program.kill);
    await waitUntilReady(started.program, `${started.url}/readyz`);
    return started;
  }

  try {
    const [api, worker] = await Promise.all([startApp('api'), withWorker ? startApp('worker') : null]);
    return { url: api.url, adminToken, api, worker, stop: cleanup.run };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
