import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, onParentLoss, ROOT } from './root.mjs';

/** Node.js strips the types itself if it can: tsx needs three times the processor time. */
const TYPES = process.features.typescript === 'strip' ? [] : ['--import=tsx'];

/** V8's compiled modules, for later processes. */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'postrider', 'compiled');

/**
 * npm test: prepares, builds what the tests start as processes, and runs Jest with these arguments and its own
 * PostgreSQL and Redis. The runner is loaded from its TypeScript source; the IPC channel tells it when this process
 * has ended.
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
