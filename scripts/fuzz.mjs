import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run fuzz: prepares, builds, and lets schemathesis test every operation of its own API process. */
await main(async () => {
  await prepare({ build: '.' });
  const { runFuzz } = await import(join(ROOT, 'packages', 'hostile', 'dist', 'index.js'));
  return runFuzz(process.env);
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
