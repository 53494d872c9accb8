import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { main, ROOT, run } from './root.mjs';

/** node scripts/console-program.mjs FOLDER [ARGUMENTS]: builds everything, and runs a program of packages/console/test. */
await main(async () => {
  const [folder, ...args] = process.argv.slice(2);
  await prepare({ build: '.' });
  const program = join(ROOT, 'packages', 'console', 'test', folder, 'main.ts');
  const loader = [
    '--import',
    'tsx',
    '--conditions=@postrider/source',
    '--disable-warning=ExperimentalWarning',
  ];
  await run(process.execPath, [...loader, program, ...args], { show: true });
});
