import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT, run } from './root.mjs';

/** npm run screenshots: takes the pictures in docs/console again, on its own installation with demo data. */
await main(async () => {
  await prepare({ build: '.' });
  const program = join(ROOT, 'packages', 'console', 'test', 'screenshots', 'main.ts');
  const loader = [
    '--import',
    'tsx',
    '--conditions=@postrider/source',
    '--disable-warning=ExperimentalWarning',
  ];
  await run(process.execPath, [...loader, program, ...process.argv.slice(2)], { show: true });
});
