import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@postrider/testing';

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));

/** The API as a process of its own. */
export interface ApiProcess {
  readonly url: string;
  /** The URL of the port for metrics. */
  readonly metricsUrl: string;
  readonly child: ChildProcess;
  /** Log lines, parsed. */
  readonly log: Record<string, unknown>[];
  /** Resolves when it is gone and all that it wrote is read. */
  readonly exited: Promise<number | null>;
}

/** Runs the API with just these variables. */
export function spawnMain(environment: Record<string, string>): ChildProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return spawn(process.execPath, [MAIN], { env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment } });
}

/** Starts an API process and resolves when it listens. */
export async function startApiProcess({
  databaseUrl,
  redisUrl,
  environment = {},
}: {
  databaseUrl: string;
  redisUrl: string;
  /** Further variables, such as ADMIN_TOKEN. */
  environment?: Record<string, string>;
}): Promise<ApiProcess> {
  const child = spawnMain({
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    ...environment,
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const log: Record<string, unknown>[] = [];
  const ports = await new Promise<[number, number]>((resolve, reject) => {
    void exited.then((code) => reject(new Error(`the API ended with ${code} before it listened`)));
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      if (entry.message === 'listening') resolve([Number(entry.port), Number(entry.metrics_port)]);
    });
  });
  const [url = '', metricsUrl = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
  return { url, metricsUrl, child, log, exited };
}

/** The API processes of a test file, to which it adds those that it starts. They are ended after its last test. */
export function useProcesses(): ApiProcess[] {
  const processes: ApiProcess[] = [];
  afterAll(async () => {
    for (const { child, exited } of processes) {
      child.kill('SIGKILL');
      await exited;
    }
  });
  return processes;
}
