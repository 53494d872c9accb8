import { createLogger } from '@postrider/telemetry';
import { startWorker } from './compose.ts';
import { readConfig } from './config.ts';

/**
 * Kubernetes and Docker kill after 30 s and 10 s unless told otherwise; a webhook attempt takes 15 s at most
 * by default.
 */
const STOP_DEADLINE_MS = 20_000;

const read = readConfig(process.env);
if (!read.ok) {
  process.stderr.write(`The worker cannot start:\n${read.faults.map((fault) => `- ${fault}\n`).join('')}`);
  process.exit(1);
}

const { config } = read;
const logger = createLogger({ service: 'worker', level: config.logLevel });
const worker = await startWorker(config, logger);
logger.info('started', { port: worker.port, concurrency: config.concurrency });

let stopping = false;

async function stop(signal: NodeJS.Signals): Promise<void> {
  // Whoever asks twice does not want to wait; the leases bring back what was open.
  if (stopping) process.exit(1);
  stopping = true;
  logger.info('stopping', { signal });
  await worker.stop(STOP_DEADLINE_MS);
  logger.info('stopped');
  process.exit(0);
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
