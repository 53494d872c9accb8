/**
 * Prints figures of the repository's complexity, each with its goal: `npm run complexity`. Lines, pages and folders are
 * counted in the files that git tracks; the files and shapes of a path by the tests that execute it. What needs a measurement (the
 * processor time of an event) is not here.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderCycles } from './folder-cycles.mjs';
import { ROOT } from './root.mjs';

const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));
const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');
const matching = (pattern) => files.filter((file) => pattern.test(file));
const countIn = (list, pattern) => {
  const counts = list.map((file) => textOf(file).match(pattern)?.length ?? 0).filter((count) => count > 0);
  return { total: counts.reduce((sum, count) => sum + count, 0), files: counts.length };
};
const bytesOf = (list) => list.reduce((sum, file) => sum + Buffer.byteLength(textOf(file)), 0);

/** Packages that are not shipped: tests, proofs and the local stack. */
const TOOLS = 'bench|deployment|faults|hostile|local-stack|rig|testing';
const product = [
  ...matching(new RegExp(`^(?:apps|packages/(?!(?:${TOOLS})/))[^.]*/src/.*\\.(?:tsx?|py)$`)),
  ...matching(/^packages\/client-go\/.*(?<!_test)\.go$/),
].filter((file) => !/\/generated[./]|\/testing\/|\/types\.(?:py|gen\.go)$/.test(file));
const ofDb = product.filter((file) => file.startsWith('packages/db/src/'));
const ofDelivery = product.filter((file) =>
  /^(apps\/worker\/src|packages\/channels\/src|packages\/db\/src\/statements)\//.test(file),
);

/** The last migration of 0.1.0. */
const LAST_OF_0_1_0 = '20261121130520';
const migrations = matching(/^prisma\/migrations\/\d+_\w+\/migration\.sql$/).filter(
  (file) => file.split('/')[2].slice(0, LAST_OF_0_1_0.length) > LAST_OF_0_1_0,
);

/** Files of the worker that claim runs. */
const claiming = countIn(
  product.filter((file) => file.startsWith('apps/worker/src/')),
  /\b(?:claimRuns|claimWithinLimits)\(/g,
);
const fragments = countIn(product, /\b(?:Prisma\.)?sql`/g);
/** The bound of that name in the test of a path. */
function boundOf(test, name) {
  const [, bound] = new RegExp(`^const ${name} = (\\d+);$`, 'm').exec(textOf(test)) ?? [];
  if (bound === undefined) throw new Error(`${test} has no ${name}`);
  return Number(bound);
}
const EVENT = 'apps/api/test/path-of-an-event.test.ts';
const WEBHOOK = 'apps/worker/test/path-of-a-webhook.test.ts';
const kilobytes = (list) => `${Math.round(bytesOf(list) / 1_024)} KB`;
const rows = [
  ['ways to start a run (files of the worker that claim)', claiming.files, '1, also for quarantine'],
  ['files that run from socket to commit for one event', boundOf(EVENT, 'MOST_FILES'), 20],
  ['shapes that carry the event there', boundOf(EVENT, 'MOST_SHAPES'), 10],
  ['times that the event comes back to a file there', boundOf(EVENT, 'MOST_RETURNS'), 2],
  ['files that run from job to final row for one webhook', boundOf(WEBHOOK, 'MOST_FILES'), 25],
  ['shapes that carry the run there', boundOf(WEBHOOK, 'MOST_SHAPES'), 9],
  [
    'types named …Outcome, …Result, …Ending or …Report on the path of a delivery',
    countIn(ofDelivery, /^export (?:type|interface) \w*(?:Outcome|Result|Ending|Report)\b/gm).total,
    1,
  ],
  [
    'folders of packages/db in one cycle of value imports',
    Math.max(0, ...folderCycles(join(ROOT, 'packages/db/src')).map(({ length }) => length)),
    0,
  ],
  ['files of packages/db that import channels', countIn(ofDb, /from '@postrider\/channels/g).files, 0],
  [
    'fragments of SQL (Prisma.sql, sql), in files',
    `${fragments.total} in ${fragments.files}`,
    'one file for each statement',
  ],
  ['documentation pages (docs/*.md)', kilobytes(matching(/^docs\/[^/]+\.md$/)), '160 KB'],
  ['decisions', matching(/^docs\/decisions\/\d+-[^/]+\.md$/).length, 30],
  ['migrations since 0.1.0', migrations.length, '1 to 10'],
  ['product lines', product.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0), 68_000],
];
const text = (value) => (typeof value === 'number' ? value.toLocaleString('en-GB') : value);
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value, goal] of rows) {
  process.stdout.write(`${name.padEnd(width)}  ${text(value).padStart(9)}  goal: ${text(goal)}\n`);
}
process.stdout.write('\nThe processor time of an event is measured by: npm run bench -- processor\n');
