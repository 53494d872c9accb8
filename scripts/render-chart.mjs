import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

/** npm run render:chart: prepares, builds, and writes the manifests that Helm renders from the chart. */
await main(async () => {
  await prepare({ build: 'packages/deployment' });
  const { renderChart } = await import(join(ROOT, 'packages', 'deployment', 'dist', 'index.js'));
  await renderChart();
});
