import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type App, createService, nodeArgumentsOf, type Service } from '@postrider/local-stack/testing';

export const SENDERS = ['got', 'undici'] as const;
/** The HTTP client by which workers send webhooks. */
export type Sender = (typeof SENDERS)[number];

/**
 * A loader that gives a worker the undici sender where it asks for the one by got, so that production needs
 * no switch for it. As text, because it is loaded before anything that could read TypeScript.
 */
const UNDICI_INSTEAD = `
export async function load(url, context, nextLoad) {
  const [, extension] = /\\/packages\\/channels\\/(?:dist|src)\\/http\\/got-sender\\.(js|ts)$/.exec(url) ?? [];
  if (!extension) return nextLoad(url, context);
  const source = "export { createUndiciSender as createGotSender } from './undici-sender." + extension + "';";
  return { format: 'module', source, shortCircuit: true };
}`;

const asModule = (script: string) => `data:text/javascript,${encodeURIComponent(script)}`;

/** The environment that gives a worker this sender; got is what it has anyway. */
export function senderEnvironment(sender: Sender): NodeJS.ProcessEnv {
  if (sender === 'got') return {};
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asModule(UNDICI_INSTEAD))});`;
  return { NODE_OPTIONS: `--import=${asModule(register)}` };
}

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
