import { openWithCleanup } from '@postrider/local-stack';
import { type App, productionEnvironment } from '@postrider/local-stack/testing';
import { fillWithConsumers } from './fill-consumers.ts';
import { type RunningService, type Sender, senderEnvironment, startService } from './services.ts';
import { createTenants, type LoadTenant, type TenantOptions } from './tenants.ts';
import type { Site } from './workbench.ts';

interface InstallationOptions extends Partial<TenantOptions> {
  readonly apis?: number;
  /** Workers that start with the API; more can be started later. */
  readonly workers?: number;
  /** The HTTP client of the workers; Node's own by default. */
  readonly sender?: Sender;
  /** Gives each process its own role, to which row-level security applies. */
  readonly restricted?: boolean;
  /** The token of the management API, which is off without one. */
  readonly adminToken?: string;
  /** How many consumers each tenant has, whose channels take the events instead of its own. */
  readonly consumers?: number;
}

/** The service with its own Postgres and Redis databases. */
export interface Installation {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly tenants: readonly LoadTenant[];
  readonly apis: readonly RunningService[];
  readonly workers: readonly RunningService[];
  readonly consumers: number;
  /** Starts further workers. */
  startWorkers(count: number): Promise<void>;
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the service for a measure. Several can be open at once; they share only the servers. */
export function openInstallation(bench: Site, options: InstallationOptions = {}): Promise<Installation> {
  const { apis = 1, workers = 1, sender = 'node', restricted = false, adminToken } = options;
  const { tenants = 1, consumers = 0, webhooks = consumers > 0 ? 0 : 1, otherWebhooks = 0 } = options;
  const { email = false, filtered = false, lastLimited = false } = options;
  return openWithCleanup(async (cleanup) => {
    const databaseUrl = cleanup.keep(await bench.databases.create(), bench.databases.drop);
    const redisUrl = bench.takeRedisUrl();
    const key = { id: 'bench', key: bench.key };
    const env = {
      ...productionEnvironment({ databaseUrl, redisUrl, key }),
      PATH: process.env.PATH,
      LOG_LEVEL: 'info',
    };
    const running: Record<App, RunningService[]> = { api: [], worker: [] };

    async function start(app: App, count: number): Promise<void> {
      const appEnv = {
        ...env,
        ...(app === 'worker' ? senderEnvironment(sender) : {}),
        ...(app === 'api' && adminToken !== undefined ? { ADMIN_TOKEN: adminToken } : {}),
        ...(restricted ? { DATABASE_URL: bench.databases.restrict(databaseUrl, `postrider_${app}`) } : {}),
      };
      const starting = Array.from({ length: count }, () => startService(app, appEnv, bench.directory));
      running[app].push(...(await Promise.all(starting)));
    }

    async function stop(app: App): Promise<void> {
      await Promise.all(running[app].splice(0).map((service) => service.stop()));
    }

    cleanup.add(() => stop('api'));
    cleanup.add(() => stop('worker'));
    const shape = { tenants, webhooks, otherWebhooks, email, filtered, lastLimited };
    const created = await createTenants(databaseUrl, bench.key, shape, bench.addresses);
    if (consumers > 0) await fillWithConsumers(databaseUrl, created, consumers, bench);
    await Promise.all([start('api', apis), start('worker', workers)]);
    return {
      databaseUrl,
      redisUrl,
      tenants: created,
      apis: running.api,
      workers: running.worker,
      consumers,
      startWorkers: (count) => start('worker', count),
      stopWorkers: () => stop('worker'),
      close: cleanup.run,
    };
  });
}
