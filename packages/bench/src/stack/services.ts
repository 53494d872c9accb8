import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type App, createService, nodeArgumentsOf, type Service } from '@postrider/local-stack/testing';

export const SENDERS = ['node', 'got', 'undici'] as const;
/** The HTTP client by which workers send webhooks. */
export type Sender = (typeof SENDERS)[number];

/** The environment that gives a worker this sender. */
export const senderEnvironment = (sender: Sender): NodeJS.ProcessEnv => ({ WEBHOOK_HTTP_CLIENT: sender });

/**
 * Runs a program with a reader for its log, as a container's runtime does: the lines cost the writer what
 * they do in production, and neither this process's time nor the disk's, which is Postgres'.
 */
const WITH_LOG_READER = 'exec "$@" > >(exec tail -n 20 > "$0") 2>&1';

export interface RunningService extends Pick<Service, 'url' | 'stop'> {
  readonly pid: number;
}

let started = 0;

/** Starts an API or a worker as in production, with a file in `logDirectory` for the end of its log, and resolves when it is ready. */
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
