import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run test:hostile: prepares, builds, and attacks an installation of its own, long form. */
await main(async () => {
  await prepare({ build: '.' });
  const { runHostile } = await import(join(ROOT, 'packages', 'hostile', 'dist', 'index.js'));
  return runHostile(process.argv.slice(2), process.env);
});
// Not left to an empty event loop: the schema engine's lock timer would hold the process for another 10 s.
process.exit();
