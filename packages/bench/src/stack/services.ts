import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type App, createService, nodeArgumentsOf, type Service } from '@postrider/local-stack/testing';

export const SENDERS = ['node', 'got'] as const;
/** The HTTP client that workers send webhooks with. */
export type Sender = (typeof SENDERS)[number];

/** The environment variables that select a worker's sender. */
export const senderEnvironment = (sender: Sender): NodeJS.ProcessEnv => ({ WEBHOOK_HTTP_CLIENT: sender });

/**
 * Runs a program with a reader for its log, as a container runtime does. Log lines cost the program what they cost in
 * production, and take neither this process's time nor that of the disk, which Postgres needs.
 */
const WITH_LOG_READER = 'exec "$@" > >(exec tail -n 20 > "$0") 2>&1';

export interface RunningService extends Pick<Service, 'url' | 'stop'> {
  readonly pid: number;
}

let started = 0;

/**
 * Starts an API or a worker as in production and resolves when it is ready. A file in `logDirectory` keeps the end
 * of its log.
 */
export async function startService(
  app: App,
  env: NodeJS.ProcessEnv,
  logDirectory: string,
): Promise<RunningService> {
  started += 1;
  const logFile = join(logDirectory, `${app}-${started}.log`);
  const args = ['-c', WITH_LOG_READER, logFile, process.execPath, ...nodeArgumentsOf(app)];
  const service = await createService({ app, env, run: { command: 'bash', args } });
  await service.start().catch(async (error: Error) => {
    await service.kill();
    throw new Error(`${error.message}\n${await readFile(logFile, 'utf8').catch(() => '')}`);
  });
  return { url: service.url, stop: service.stop, pid: service.program()?.pid ?? 0 };
}
