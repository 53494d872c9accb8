import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '../supervise.ts';
import { chooseFreePort } from './free-port.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

export type App = 'api' | 'worker';

const PORT_VARIABLES = { api: 'PORT', worker: 'WORKER_PORT' } as const;

/** An app that runs as a process of its own. */
export interface AppProcess {
  /** Where it listens once it is ready. */
  readonly url: string;
  readonly metricsUrl: string;
  readonly program: Program;
}

/**
 * Runs an app from its sources on a free port, with just these variables and what Node.js needs; `onLine` is
 * handed each line that it writes. Resolves when it runs, which is before it is ready.
 */
export async function startAppProcess(
  app: App,
  env: NodeJS.ProcessEnv,
  onLine?: (line: string) => void,
): Promise<AppProcess> {
  const port = String(await chooseFreePort());
  const metricsPort = String(await chooseFreePort());
  const program = await startProgram({
    name: app,
    command: process.execPath,
    args: [
      ...['--conditions=@postrider/source', '--import', 'tsx'],
      join(ROOT, 'apps', app, 'src', 'main.ts'),
    ],
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      [PORT_VARIABLES[app]]: port,
      METRICS_PORT: metricsPort,
      ...env,
    },
    ...(onLine ? { onLine } : {}),
  });
  return {
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    program,
  };
}
