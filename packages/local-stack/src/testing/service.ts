import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { createCleanup } from '../cleanup.ts';
import { startRedis } from '../redis/start.ts';
import { waitUntilReady } from '../start/wait-until-ready.ts';
import { startProgram } from '../supervise.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Where the test's own receivers listen. */
const LOOPBACK = '127.0.0.0/8,::1/128';

export interface TestServiceOptions {
  readonly databaseUrl: string;
  /** Starts a worker beside the API, which may deliver to this machine. */
  readonly worker?: boolean;
  /** Further environment variables of both. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * The service as processes of its own, run from its sources, with a Redis of its own, for tests of what talks
 * to it over HTTP.
 */
export interface TestService {
  /** Of the API. */
  readonly url: string;
  readonly adminToken: string;
  stop(): Promise<void>;
}

/** Starts the API, and a worker where asked for, and resolves when they can do their work. */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const { databaseUrl, worker = false, env = {} } = options;
  const adminToken = randomBytes(24).toString('base64url');
  const cleanup = createCleanup((error) => process.stderr.write(`${error}\n`));
  const redis = await startRedis();
  cleanup.add(redis.stop);
  const shared: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    EGRESS_ALLOW_CIDRS: LOOPBACK,
    ...env,
  };

  async function startApp(app: 'api' | 'worker', portVariable: string): Promise<string> {
    const port = await getPort({ host: '127.0.0.1' });
    const program = await startProgram({
      name: app,
      command: process.execPath,
      args: [
        ...['--conditions=@postrider/source', '--import', 'tsx'],
        join(ROOT, 'apps', app, 'src', 'main.ts'),
      ],
      cwd: ROOT,
      env: { ...shared, [portVariable]: String(port) },
    });
    cleanup.add(program.kill);
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(program, `${url}/readyz`);
    return url;
  }

  try {
    const [url] = await Promise.all([
      startApp('api', 'PORT'),
      ...(worker ? [startApp('worker', 'WORKER_PORT')] : []),
    ]);
    return { url, adminToken, stop: cleanup.run };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
