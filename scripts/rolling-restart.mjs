import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run test:rolling-restart: prepares, builds, and restarts every process under load. */
await main(async () => {
  await prepare({ build: '.' });
  const { proveRollingRestart } = await import(join(ROOT, 'packages', 'deployment', 'dist', 'index.js'));
  await proveRollingRestart();
});
