import { createLogger } from '@postrider/telemetry';
import { createApp } from './app.ts';
import { compose } from './compose.ts';
import { readConfig } from './config.ts';
import { startServer } from './server.ts';

const read = readConfig(process.env);
if (!read.ok) {
  process.stderr.write(`The API cannot start:\n${read.faults.map((fault) => `- ${fault}\n`).join('')}`);
  process.exit(1);
}

const { config } = read;
const logger = createLogger({ service: 'api', level: config.logLevel });
const { deps, close } = compose(config, logger);
const server = await startServer(createApp(deps), config);
logger.info('listening', { port: server.port });

let stopping = false;

async function stop(signal: NodeJS.Signals): Promise<void> {
  // Whoever asks twice does not want to wait.
  if (stopping) process.exit(1);
  stopping = true;
  logger.info('stopping', { signal });
  await server.stop();
  await close();
  logger.info('stopped');
  process.exit(0);
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
