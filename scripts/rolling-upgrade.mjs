import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildRelease, PREVIOUS_RELEASE } from './build-release.mjs';
import { prepare } from './prepare.mjs';
import { CommandFailed, main, ROOT } from './root.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

/** The programs of an installed and built checkout. Throws if it is not one. */
function releaseIn(directory) {
  const checkout = resolve(directory);
  for (const file of ['apps/api/dist/main.js', 'apps/worker/dist/main.js', 'node_modules/.bin/postrider'])
    if (!existsSync(join(checkout, file)))
      throw new CommandFailed(
        `${checkout} is not a built checkout of ${PREVIOUS_RELEASE.name}: it has no ${file}.`,
      );
  return { api: checkout, worker: checkout, cli: checkout };
}

/**
 * npm run test:rolling-upgrade [-- --release DIRECTORY] [--record FILE]: prepares, builds the previous release from the history, and
 * upgrades an installation of it to this one, under load. DIRECTORY is a built checkout of the previous release, to use
 * instead of the history. With --record it does not upgrade, but writes what the previous release leaves in its stores to
 * FILE (apps/worker/test/upgrade).
 */
await main(async () => {
  await prepare({ build: '.' });
  const { values } = parseArgs({ options: { release: { type: 'string' }, record: { type: 'string' } } });
  const release = values.release ? releaseIn(values.release) : await buildRelease(PREVIOUS_RELEASE, say);
  const { recordRelease, runRollingUpgrade } = await import(
    join(ROOT, 'packages', 'faults', 'dist', 'index.js')
  );
  if (values.record) {
    writeFileSync(values.record, `${JSON.stringify(await recordRelease(release), null, 2)}\n`);
    return 0;
  }
  return runRollingUpgrade(release, process.env);
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
