import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run fuzz: prepares, builds, and has schemathesis try every operation of an API of its own. */
await main(async () => {
  await prepare({ build: '.' });
  const { runFuzz } = await import(join(ROOT, 'packages', 'hostile', 'dist', 'index.js'));
  return runFuzz(process.env);
});
// Not left to an empty event loop: the schema engine's lock timer would hold the process for another 10 s.
process.exit();
