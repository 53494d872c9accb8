import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { waitUntilReady } from '../../src/start/wait-until-ready.ts';
import { type Program, startProgram } from '../../src/supervise.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

export type App = 'api' | 'worker';

const PORT_VARIABLES = { api: 'PORT', worker: 'WORKER_PORT' } as const;

/** Runs an app from its sources with just these variables, and hands on each line that it writes. */
export async function startProcess(
  app: App,
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<Program> {
  return startProgram({
    name: app,
    command: process.execPath,
    args: [
      ...['--conditions=@postrider/source', '--import', 'tsx'],
      join(ROOT, 'apps', app, 'src', 'main.ts'),
    ],
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, HOST: '127.0.0.1', LOG_LEVEL: 'debug', ...env },
    onLine,
  });
}

/** As {@link startProcess}, and resolves with its URL when it is ready. */
export async function startReady(
  app: App,
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<{ readonly url: string; readonly program: Program }> {
  const port = String(await getPort({ host: '127.0.0.1' }));
  const program = await startProcess(app, { ...env, [PORT_VARIABLES[app]]: port }, onLine);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(program, `${url}/readyz`);
  return { url, program };
}
