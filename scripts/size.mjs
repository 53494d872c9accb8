import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run test:size: prepares, builds, fills an installation with millions of messages, and checks what each statement costs. */
await main(async () => {
  await prepare({ build: '.' });
  const { runSize } = await import(join(ROOT, 'packages', 'faults', 'dist', 'index.js'));
  return runSize(process.argv.slice(2), process.env);
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
