import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run test:faults: prepares, builds, and runs the fault scenarios on their own installations. */
await main(async () => {
  await prepare({ build: '.' });
  const { runFaults } = await import(join(ROOT, 'packages', 'faults', 'dist', 'index.js'));
  return runFaults(process.argv.slice(2), process.env);
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
