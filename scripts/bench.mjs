import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run bench: prepares, builds, and measures an installation of its own against what its parts allow. */
await main(async () => {
  await prepare({ build: '.' });
  const { runBench } = await import(join(ROOT, 'packages', 'bench', 'dist', 'index.js'));
  return runBench(process.argv.slice(2), process.env);
});
// Not left to an empty event loop: the schema engine's lock timer would hold the process for another 10 s.
process.exit();
