import { randomBytes, randomUUID } from 'node:crypto';
import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import { type TestDatabase, testRedisUrl } from '@postrider/db/testing';
import { listen } from '@postrider/listener';
import { openWithCleanup } from '@postrider/local-stack';
import { productionEnvironment } from '@postrider/local-stack/testing';
import { chooseFreePort } from '@postrider/rig/servers';
import { createLogger } from '@postrider/telemetry';
import { openSharedRenderer } from '../../../../packages/rendering/test/shared-renderer.ts';
import { startWorker } from '../../../worker/src/compose.ts';
import { readConfig as readWorkerConfig } from '../../../worker/src/config.ts';
import type { SweepPauses } from '../../../worker/src/sweeps/start.ts';
import { createApp } from '../../src/app.ts';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';

const HOST = '127.0.0.1';
/** How many milliseconds deliveries have to end when the service stops. */
const STOP_DEADLINE_MS = 1_000;
/**
 * Sweeps that no test of the whole service waits for run rarely. At the service's own pauses they take a twentieth of a
 * core when idle.
 */
const PAUSES: SweepPauses = {
  expiredAnswers: 60_000,
  deletedChannels: 60_000,
  replayBatches: 500,
  expiredMessages: 60_000,
};
/** No test commits an event later than this after requesting an erasure. */
const LATE_MESSAGES_SECONDS = 1;

export interface ServiceHereOptions {
  /** Whose roles of the processes it connects as. */
  readonly database: TestDatabase;
  /** Whether to start a worker, too. It may deliver to this machine. */
  readonly worker?: boolean;
  /** Those of the service by default. */
  readonly kinds?: ChannelRegistry;
  /** Where the API listens; by default a free port. */
  readonly port?: number;
  /** Further environment variables of both. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface ServiceHere {
  /** The API's URL. */
  readonly url: string;
  readonly adminToken: string;
  stop(): Promise<void>;
}

function valid<Config>(read: { ok: true; config: Config } | { ok: false; issues: string[] }): Config {
  if (!read.ok) throw new Error(read.issues.join('; '));
  return read.config;
}

/**
 * Starts the API and, if requested, a worker in this process, from the environment variables and composed of the parts
 * that their own processes have, on the run's Redis. Resolves when the API listens. `startTestService` starts processes,
 * which takes three seconds of processor time more.
 */
export function startServiceHere({
  database,
  worker = false,
  kinds = channelKinds,
  env = {},
  port: chosenPort,
}: ServiceHereOptions): Promise<ServiceHere> {
  return openWithCleanup(async (cleanup) => {
    const adminToken = randomBytes(24).toString('base64url');
    const port = chosenPort ?? (await chooseFreePort());
    const url = `http://${HOST}:${port}`;
    const key = { id: 'test', key: randomBytes(32) };
    const environmentFor = (role: Parameters<TestDatabase['urlFor']>[0]) => ({
      ...productionEnvironment({ databaseUrl: database.urlFor(role), redisUrl: testRedisUrl(), key }),
      // Not production, which refuses the weak keys of tests.
      NODE_ENV: 'test',
      PORT: String(port),
      WORKER_PORT: '0',
      METRICS_PORT: 'off',
      PUBLIC_URL: url,
      ADMIN_TOKEN: adminToken,
      ...env,
    });
    const logger = createLogger({ service: 'test', level: 'error', write: () => undefined });
    const own = {
      kinds,
      keyPrefix: `test-${randomUUID()}`,
      processMetrics: false,
      openRenderer: openSharedRenderer,
    };

    const config = valid(readConfig(environmentFor('postrider_api')));
    const api = compose(config, logger, null, own);
    cleanup.add(api.close);
    const { maxConnections, maxConnectionsPerAddress, trustedProxies } = config;
    const limits = {
      connections: maxConnections,
      connectionsPerAddress: maxConnectionsPerAddress,
      trustedProxies,
    };
    // Not `startServer`, whose stop waits two seconds for load balancers.
    const server = await listen(createApp(api.deps), { port, host: HOST, limits });
    cleanup.add(async () => {
      api.beginStop();
      await server.stop();
    });
    if (worker) {
      const workerConfig = valid(readWorkerConfig(environmentFor('postrider_worker')));
      const started = await startWorker(workerConfig, logger, {
        ...own,
        sweepPauses: PAUSES,
        lateMessagesSeconds: LATE_MESSAGES_SECONDS,
      });
      cleanup.add(() => started.stop(STOP_DEADLINE_MS));
    }
    return { url, adminToken, stop: cleanup.run };
  });
}
