import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run bench: prepares, builds, and measures its own installation against its parts on their own. */
await main(async () => {
  await prepare({ build: '.' });
  const { runBench } = await import(join(ROOT, 'packages', 'bench', 'dist', 'index.js'));
  return runBench(process.argv.slice(2), process.env);
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
