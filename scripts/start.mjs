import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, onParentLoss, ROOT } from './root.mjs';

/** npm start: prepares, builds, and runs everything on this machine until it is interrupted. */
await main(async () => {
  await prepare({ build: '.' });
  const { start } = await import(join(ROOT, 'packages', 'local-stack', 'dist', 'index.js'));
  return start(ROOT, (lifetime) => onParentLoss(lifetime.interrupt));
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
