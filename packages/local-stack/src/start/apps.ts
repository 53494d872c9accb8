import { join } from 'node:path';
import { startProgram, waitUntilReady } from '@postrider/rig/servers';
import { NODE_ARGUMENTS } from '../node-arguments.ts';
import type { Lifetime } from './lifetime.ts';

/** The worker takes up to 20 s to finish its deliveries and must not be killed before. */
const STOP_TIMEOUT_MS = 25_000;

interface AppsOptions {
  readonly root: string;
  readonly apiPort: number;
  readonly workerPort: number;
  /** Null: no metrics. */
  readonly metricsPorts: { readonly api: number; readonly worker: number } | null;
  readonly env: NodeJS.ProcessEnv;
  readonly lifetime: Lifetime;
}

/** Starts the built API and worker, and resolves when both are ready. */
export async function startApps({
  root,
  apiPort,
  workerPort,
  metricsPorts,
  env,
  lifetime,
}: AppsOptions): Promise<void> {
  const apps = [
    { name: 'The API', label: 'api', port: apiPort },
    { name: 'The worker', label: 'worker', port: workerPort },
  ] as const;
  await Promise.all(
    apps.map(async ({ name, label, port }) => {
      const program = await startProgram({
        name,
        command: process.execPath,
        args: [...NODE_ARGUMENTS[label], join(root, 'apps', label, 'dist', 'bundle', 'main.js')],
        cwd: root,
        // This mode allows deliveries to this machine, so no other machine may send events.
        env: {
          HOST: '127.0.0.1',
          ...env,
          PORT: String(apiPort),
          WORKER_PORT: String(workerPort),
          METRICS_PORT: metricsPorts === null ? 'off' : String(metricsPorts[label]),
        },
        stopTimeoutMs: STOP_TIMEOUT_MS,
        onLine: (line) => process.stdout.write(`[${label}] ${line}\n`),
      });
      lifetime.takeCharge(program);
      await waitUntilReady(program, `http://127.0.0.1:${port}/readyz`);
    }),
  );
}
