import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, onParentLoss, ROOT } from './root.mjs';

/** Node.js takes the types away itself where it can: tsx takes three times the processor time for it. */
const TYPES = process.features.typescript === 'strip' ? [] : ['--import=tsx'];

/** What V8 made of the modules, for the processes that follow. */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'postrider', 'compiled');

/**
 * npm test: prepares, builds what the tests start as processes, then runs jest, with these arguments, beside a PostgreSQL and a Redis of its own.
 * The runner is TypeScript and is loaded from source; the channel tells it when this process is gone.
 */
await main(async () => {
  await prepare({ build: '.' });
  const runner = join(ROOT, 'packages', 'local-stack', 'src', 'test', 'main.ts');
  const loader = [...TYPES, '--conditions=@postrider/source', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...loader, runner, ...process.argv.slice(2)], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  onParentLoss(() => child.kill());
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
