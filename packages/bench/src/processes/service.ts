import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_ARGUMENTS, type Program, startProgram, waitUntilReady } from '@postrider/local-stack';
import getPort from 'get-port';
import { folderOf, nodeArguments, sameKindOf } from './entry.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Longer than the service's own deadline for stopping. */
const STOP_TIMEOUT_MS = 30_000;
/**
 * Runs a program with a reader for what it logs, as a container's runtime is: the lines cost the writer what
 * they do in production, and neither this process's time nor the disk's, which is Postgres'.
 */
const WITH_LOG_READER = 'exec "$@" > >(exec tail -n 20 > "$0") 2>&1';

export type ServiceKind = 'api' | 'worker';

/** One running process of the service. */
export interface Service {
  readonly kind: ServiceKind;
  readonly url: string;
  readonly pid: number;
  /** SIGTERM. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly kind: ServiceKind;
  readonly env: NodeJS.ProcessEnv;
  /** A directory for what it wrote last. */
  readonly logDirectory: string;
}

const PORT_VARIABLE = { api: 'PORT', worker: 'WORKER_PORT' } as const satisfies Record<ServiceKind, string>;

async function untilReady(program: Program, url: string, logFile: string): Promise<void> {
  await waitUntilReady(program, `${url}/readyz`).catch(async (error: Error) => {
    await program.stop();
    throw new Error(`${error.message}\n${await readFile(logFile, 'utf8').catch(() => '')}`);
  });
}

/** Starts an API or a worker as in production and resolves when it is ready. */
export async function startService({ kind, env, logDirectory }: ServiceOptions): Promise<Service> {
  const port = await getPort({ host: '127.0.0.1' });
  const logFile = join(logDirectory, `${kind}-${port}.log`);
  const entry = `main${sameKindOf(import.meta.url)}`;
  const main = join(ROOT, 'apps', kind, folderOf(import.meta.url), entry);
  const program = await startProgram({
    name: `${kind} on ${port}`,
    command: 'bash',
    args: [
      '-c',
      WITH_LOG_READER,
      logFile,
      process.execPath,
      ...NODE_ARGUMENTS[kind],
      ...nodeArguments(import.meta.url),
      main,
    ],
    cwd: ROOT,
    env: { ...env, [PORT_VARIABLE[kind]]: String(port), METRICS_PORT: '0' },
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(program, url, logFile);
  return { kind, url, pid: program.pid, stop: () => program.stop() };
}
