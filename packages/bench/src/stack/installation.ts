import { createCleanup } from '@postrider/local-stack';
import { type Sender, senderEnvironment } from '../processes/sender.ts';
import { type Service, type ServiceKind, startService } from '../processes/service.ts';
import { createTenants, type LoadTenant, type TenantOptions } from './tenants.ts';
import type { Site } from './workbench.ts';

export interface InstallationOptions extends Partial<TenantOptions> {
  readonly apis?: number;
  /** Started with the API; more can be started later. */
  readonly workers?: number;
  /** Of the workers; got when left out. */
  readonly sender?: Sender;
  /** Gives each process a role of its own, for which row-level security holds. */
  readonly restricted?: boolean;
}

/** The service on databases of Postgres and Redis of its own. */
export interface Installation {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly tenants: readonly LoadTenant[];
  readonly apis: readonly Service[];
  readonly workers: readonly Service[];
  /** Starts further workers. */
  startWorkers(count: number): Promise<void>;
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

/** The environment of the processes, as the image and the Compose file set it. */
function environmentOf(
  { key }: Site,
  { databaseUrl, redisUrl }: Pick<Installation, 'databaseUrl' | 'redisUrl'>,
): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: `bench:${key.toString('base64')}`,
    // The receivers are on this machine.
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  };
}

/** Starts the service for a measure. Several can be open at once: they share nothing but the servers. */
export async function openInstallation(
  bench: Site,
  options: InstallationOptions = {},
): Promise<Installation> {
  const { apis = 1, workers = 1, sender = 'got', restricted = false } = options;
  const { tenants = 1, webhooks = 1, otherWebhooks = 0, email = false } = options;
  const cleanup = createCleanup((error) => process.stderr.write(`${error}\n`));
  const databaseUrl = await bench.databases.create();
  cleanup.add(() => bench.databases.drop(databaseUrl));
  const redisUrl = bench.takeRedisUrl();
  const env = environmentOf(bench, { databaseUrl, redisUrl });
  const running: Record<ServiceKind, Service[]> = { api: [], worker: [] };

  async function start(kind: ServiceKind, count: number): Promise<void> {
    const kindEnv = {
      ...env,
      ...(kind === 'worker' ? senderEnvironment(sender) : {}),
      ...(restricted ? { DATABASE_URL: bench.databases.restrict(databaseUrl, `postrider_${kind}`) } : {}),
    };
    const starting = Array.from({ length: count }, () =>
      startService({ kind, env: kindEnv, logDirectory: bench.directory }),
    );
    running[kind].push(...(await Promise.all(starting)));
  }

  async function stop(kind: ServiceKind): Promise<void> {
    await Promise.all(running[kind].splice(0).map((service) => service.stop()));
  }

  cleanup.add(() => stop('api'));
  cleanup.add(() => stop('worker'));
  try {
    const shape = { tenants, webhooks, otherWebhooks, email };
    const made = await createTenants(databaseUrl, bench.key, shape, bench.addresses);
    await Promise.all([start('api', apis), start('worker', workers)]);
    return {
      databaseUrl,
      redisUrl,
      tenants: made,
      apis: running.api,
      workers: running.worker,
      startWorkers: (count) => start('worker', count),
      stopWorkers: () => stop('worker'),
      close: cleanup.run,
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
