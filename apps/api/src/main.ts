import {
  createLogger,
  createMetricsServer,
  exitIfCannotListen,
  openTracing,
  startMemoryRelease,
  stopOnSignal,
} from '@postrider/telemetry';
import { createApp } from './app.ts';
import { compose } from './compose.ts';
import { readConfig } from './config.ts';
import { createReadyCheck } from './http/health.ts';
import { startServer } from './server.ts';

/**
 * The longest time from the signal to the exit. Requests have 2 s to arrive and 10 s to end, and Docker kills after 15
 * s.
 */
const EXIT_DEADLINE_MS = 14_000;

const read = readConfig(process.env);
if (!read.ok) {
  const { issues } = read;
  createLogger({ service: 'api', level: 'error' }).error('cannot start: the configuration is not valid', {
    issues,
  });
  process.exit(1);
}

const { config } = read;
const logger = createLogger({ service: 'api', level: config.logLevel });
const tracing = await openTracing({ ...config, service: 'postrider-api', logger });
const { deps, onRefused, hasOperators, beginStop, close } = compose(config, logger, tracing);
const { host } = config;
const server = await startServer(createApp(deps), {
  port: config.port,
  host,
  onRefused,
  limits: {
    connections: config.maxConnections,
    connectionsPerAddress: config.maxConnectionsPerAddress,
    trustedProxies: config.trustedProxies,
  },
}).catch(exitIfCannotListen(logger));
// After the API, because this port's /readyz reports that the API listens.
const metricsServer = await createMetricsServer({
  port: config.metricsPort,
  host,
  metrics: deps.metrics,
  onRefused,
  health: { ready: createReadyCheck(deps), isStopping: deps.isStopping },
}).catch(exitIfCannotListen(logger));
logger.info('listening', { port: server.port, metrics_port: metricsServer?.port ?? null });
startMemoryRelease(logger);
if (config.adminToken === null) {
  void hasOperators().then(
    (has) => {
      if (!has)
        logger.warn('nobody can use the management API: set ADMIN_TOKEN to create the first operator');
    },
    () => undefined,
  );
}

stopOnSignal({
  signals: process,
  deadlineMs: EXIT_DEADLINE_MS,
  exit: process.exit,
  onStopFailed: (error) => logger.error('could not stop in order', { error }),
  async stop(reason) {
    logger.info('stopping', { reason });
    beginStop();
    await server.stop();
    await metricsServer?.stop();
    await close();
    await tracing?.close();
    logger.info('stopped');
  },
});
