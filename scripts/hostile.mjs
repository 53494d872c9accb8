import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run test:hostile: prepares, builds, and attacks its own installation, in the long form. */
await main(async () => {
  await prepare({ build: '.' });
  const { runHostile } = await import(join(ROOT, 'packages', 'hostile', 'dist', 'index.js'));
  return runHostile(process.argv.slice(2), process.env);
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
