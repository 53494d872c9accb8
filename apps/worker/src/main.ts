import { format } from 'node:util';
import {
  createBoundedLog,
  createLogger,
  exitIfCannotListen,
  startMemoryRelease,
  stopOnSignal,
} from '@postrider/telemetry';
import { startWorker } from './compose.ts';
import { readConfig } from './config.ts';

/** By default, Kubernetes kills after 30 s and Docker after 10 s, and a webhook attempt takes at most 15 s. */
const STOP_DEADLINE_MS = 20_000;
/** The stop deadline, plus 2 s for writing results, plus 3 s for closing connections, plus a margin. */
const EXIT_DEADLINE_MS = 27_000;

const read = readConfig(process.env);
if (!read.ok) {
  const { issues } = read;
  createLogger({ service: 'worker', level: 'error' }).error('cannot start: the configuration is not valid', {
    issues,
  });
  process.exit(1);
}

const { config } = read;
const logger = createLogger({ service: 'worker', level: config.logLevel });
const libraryLog = createBoundedLog(logger, { perKeyPerMinute: 1 });
// BullMQ writes warnings here, on each connection. In the log each line is JSON.
console.warn = (...parts: unknown[]) => {
  const warning = format(...parts);
  libraryLog.warn(warning, 'a library warns', { warning });
};
const worker = await startWorker(config, logger).catch(exitIfCannotListen(logger));
logger.info('started', {
  port: worker.port,
  metrics_port: worker.metricsPort,
  concurrency: config.concurrency,
});
startMemoryRelease(logger);

stopOnSignal({
  signals: process,
  deadlineMs: EXIT_DEADLINE_MS,
  exit: process.exit,
  onStopFailed: (error) => logger.error('could not stop in order', { error }),
  async stop(reason) {
    logger.info('stopping', { reason });
    await worker.stop(STOP_DEADLINE_MS);
    logger.info('stopped');
  },
});
