import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_ARGUMENTS } from '../node-arguments.ts';
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

/** Whether an app runs from its sources, or as it was built and as the images start it. */
export type Form = 'source' | 'built';

function argumentsFor(app: App, form: Form): string[] {
  if (form === 'built') return [...NODE_ARGUMENTS[app], join(ROOT, 'apps', app, 'dist', 'main.js')];
  return ['--conditions=@postrider/source', '--import', 'tsx', join(ROOT, 'apps', app, 'src', 'main.ts')];
}

/**
 * Runs an app on a free port, with just these variables and what Node.js needs; `onLine` is handed each line
 * that it writes. Resolves when it runs, which is before it is ready.
 */
export async function startAppProcess(
  app: App,
  env: NodeJS.ProcessEnv,
  onLine?: (line: string) => void,
  form: Form = 'source',
): Promise<AppProcess> {
  const port = String(await chooseFreePort());
  const metricsPort = String(await chooseFreePort());
  const program = await startProgram({
    name: app,
    command: process.execPath,
    args: argumentsFor(app, form),
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
