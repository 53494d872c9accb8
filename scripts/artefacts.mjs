import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run test:artefacts: prepares, builds, and verifies the contents of the images. */
await main(async () => {
  await prepare({ build: '.' });
  const { proveArtefacts } = await import(join(ROOT, 'packages', 'deployment', 'dist', 'index.js'));
  await proveArtefacts();
});
