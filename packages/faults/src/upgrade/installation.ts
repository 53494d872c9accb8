import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@postrider/db';
import type { RetryPolicy } from '@postrider/domain';
import { type Cleanup, openWithCleanup } from '@postrider/local-stack';
import {
  type App,
  createService,
  nodeArgumentsOf,
  productionEnvironment,
  type Service,
} from '@postrider/local-stack/testing';
import { createSendLedger, receiveMails, receiveWebhooks } from '../stack/receivers.ts';
import { ATTEMPT_TIMEOUT_MS, channelsFor, type Stack, type StackDeps } from '../stack/stack.ts';
import { openPostgres, openRedis } from '../stack/stores.ts';
import { createTenant } from './tenant.ts';

const run = promisify(execFile);

/** A built release: for each program, the directory that its image has as /app. */
export interface Release {
  readonly api: string;
  readonly worker: string;
  readonly cli: string;
}

/** Creates the schema of a release in an empty database, with the release's own command. */
export async function migrateWith({ cli }: Release, databaseUrl: string): Promise<void> {
  const command = join(cli, 'node_modules', '.bin', 'postrider');
  await run(process.execPath, [command, 'migrate'], { cwd: cli, env: { DATABASE_URL: databaseUrl } });
}

/** An installation whose processes run the old release until they are replaced. */
export interface Installation extends Stack {
  /** Sets the release that a process runs from its next start on: the old one, or this checkout. */
  assign(service: Service, release: 'old' | 'new'): void;
}

interface InstallationOptions {
  readonly release: Release;
  readonly apis: number;
  readonly workers: number;
  /** The paths of the webhook channels' endpoints. */
  readonly webhooks: readonly string[];
  /** Deliveries that a worker has open at once. */
  readonly concurrency: number;
  /** The time limit of every attempt; by default that of the suite. */
  readonly attemptTimeoutMs?: number;
  /** The retry policy of the channels; by default that of the suite. */
  readonly retry?: RetryPolicy;
  /** The key that encrypts the channels' secrets; by default a random one. */
  readonly key?: Buffer;
}

async function start(
  { release, apis: apiCount, workers: workerCount, ...options }: InstallationOptions,
  { template, treat }: StackDeps,
  cleanup: Cleanup,
): Promise<Omit<Installation, 'close'>> {
  const { keep } = cleanup;
  const sends = createSendLedger();
  const postgres = keep(await openPostgres(template), (server) => server.stop());
  const redis = keep(await openRedis(), (server) => server.stop());
  const http = keep(await receiveWebhooks(sends, treat), (receiver) => receiver.close());
  const smtp = keep(await receiveMails(sends, treat), (receiver) => receiver.close());
  const db = keep(openDatabase(postgres.url, { poolSize: 4 }), (client) => client.$disconnect());
  const adminToken = randomBytes(24).toString('hex');
  const key = { id: 'upgrade', key: options.key ?? randomBytes(32) };
  const env = {
    ...productionEnvironment({ databaseUrl: postgres.url, redisUrl: redis.url, key }),
    ADMIN_TOKEN: adminToken,
  };

  const runsNew = new Set<Service>();
  async function createServices(app: App, count: number): Promise<Service[]> {
    const services: Service[] = [];
    while (services.length < count) {
      const service: Service = await createService({
        app,
        name: `${app} ${services.length + 1}`,
        onLine: (line) => {
          if (line.includes('"level":"error"')) process.stderr.write(`${service.name}: ${line}\n`);
        },
        env: { ...env, ...(app === 'worker' && { WORKER_CONCURRENCY: String(options.concurrency) }) },
        run: () =>
          runsNew.has(service)
            ? { args: nodeArgumentsOf(app) }
            : { args: [join('apps', app, 'dist', 'main.js')], cwd: release[app] },
      });
      services.push(keep(service, (one) => one.kill()));
    }
    return services;
  }
  const apis = await createServices('api', apiCount);
  const workers = await createServices('worker', workerCount);
  await Promise.all([...apis, ...workers].map((service) => service.start()));
  const [api] = apis;
  if (!api) throw new Error('an upgrade needs an API process');
  const urls = options.webhooks.map((path) => new URL(path, http.url).href);
  const { attemptTimeoutMs = ATTEMPT_TIMEOUT_MS, retry } = options;
  const channels = channelsFor(urls, smtp.port, [], { attemptTimeoutMs }).map((channel) => ({
    ...channel,
    ...(retry && { retry }),
  }));
  const fixture = await createTenant(api.url, adminToken, channels);
  return {
    db,
    postgres,
    redis,
    apis,
    workers,
    sends,
    fixture,
    receiverProxy: null,
    postgresProxy: null,
    storeProxies: null,
    senderProxies: [],
    neighbours: [],
    assign(service, to) {
      if (to === 'new') runsNew.add(service);
      else runsNew.delete(service);
    },
  };
}

/**
 * Starts an installation of the old release, on a template that {@link migrateWith} has migrated. Resolves when all of
 * its processes are ready. `close` ends it in any state.
 */
export function openInstallation(options: InstallationOptions, deps: StackDeps): Promise<Installation> {
  return openWithCleanup(async (cleanup) => ({
    ...(await start(options, deps, cleanup)),
    close: cleanup.run,
  }));
}
