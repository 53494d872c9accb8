import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run test:redis-topologies: prepares, builds, and runs the tests that use Redis on each of its topologies. */
await main(async () => {
  await prepare({ build: 'packages/local-stack' });
  const { testRedisTopologies } = await import(
    join(ROOT, 'packages', 'local-stack', 'dist', 'testing', 'index.js')
  );
  return testRedisTopologies(process.argv.slice(2));
});
