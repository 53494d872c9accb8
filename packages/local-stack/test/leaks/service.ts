import { waitUntilReady } from '../../src/start/wait-until-ready.ts';
import { type App, type AppProcess, startAppProcess } from '../../src/testing/app-process.ts';

/** Runs an app that says all it can, and hands on each line that it writes. */
export function startTalkative(
  app: App,
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<AppProcess> {
  return startAppProcess(app, { LOG_LEVEL: 'debug', ...env }, onLine);
}

/** As {@link startTalkative}, and resolves when the app is ready. */
export async function startReady(
  app: App,
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<AppProcess> {
  const started = await startTalkative(app, env, onLine);
  await waitUntilReady(started.program, `${started.url}/readyz`);
  return started;
}
