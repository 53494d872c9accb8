import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run test:faults: prepares, builds, and breaks an installation of its own in every way it knows. */
await main(async () => {
  await prepare({ build: '.' });
  const { runFaults } = await import(join(ROOT, 'packages', 'faults', 'dist', 'index.js'));
  return runFaults(process.argv.slice(2), process.env);
});
// Not left to an empty event loop: the schema engine's lock timer would hold the process for another 10 s.
process.exit();
