/**
 * Prints figures of the repository's complexity, each with its goal: `npm run complexity`. Lines, pages and folders are
 * counted in the files that git tracks. What needs a reader (the files from socket to commit) or a measurement (the
 * processor time of an event) is not here.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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
const product = matching(new RegExp(`^(?:apps|packages/(?!(?:${TOOLS})/))[^.]*/src/.*\\.tsx?$`)).filter(
  (file) => !/\/generated[./]|\/testing\//.test(file),
);
const ofDb = product.filter((file) => file.startsWith('packages/db/src/'));
const ofDelivery = product.filter((file) =>
  /^(apps\/worker\/src|packages\/channels\/src|packages\/db\/src\/deliver)\//.test(file),
);

/** The last migration of 0.1.0. */
const LAST_OF_0_1_0 = '20261121130520';
const migrations = matching(/^prisma\/migrations\/\d+_\w+\/migration\.sql$/).filter(
  (file) => file.split('/')[2].slice(0, LAST_OF_0_1_0.length) > LAST_OF_0_1_0,
);

/** Imports and re-exports of values by relative path. */
const VALUE_IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?'(\.[^']+)'/gm;
const isTypeOnly = (statement) => {
  const names = /\{([^}]*)\}/.exec(statement)?.[1];
  return names?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) ?? false;
};

/** The folders of packages/db/src that the value imports of each folder reach. Files directly in src are left out. */
function folderGraph() {
  const src = join(ROOT, 'packages/db/src');
  const folderOf = (path) => {
    const [first, ...rest] = relative(src, path).split('/');
    return rest.length === 0 ? null : first;
  };
  const graph = new Map();
  for (const file of ofDb) {
    const from = folderOf(join(ROOT, file));
    if (from === null) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const [statement, path] of textOf(file).matchAll(VALUE_IMPORT)) {
      const to = folderOf(join(ROOT, dirname(file), path));
      if (!isTypeOnly(statement) && to !== null && to !== from) targets.add(to);
    }
  }
  return graph;
}

function reachable(graph, start) {
  const seen = new Set();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of graph.get(folder) ?? []) {
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
    }
  }
  return seen;
}

/** The number of folders in the largest cycle; 0 without one. */
function largestCycle() {
  const graph = folderGraph();
  const reach = new Map([...graph.keys()].map((folder) => [folder, reachable(graph, folder)]));
  const sizes = [...graph.keys()].map(
    (folder) => [...reach.get(folder)].filter((other) => reach.get(other)?.has(folder)).length,
  );
  return Math.max(0, ...sizes);
}

/** Files by which a run can be started: by its job, or from PostgreSQL. */
const STARTS = [
  'consumer.ts',
  'deliver/deferred-channels.ts',
  'deliver/limited-channels.ts',
  'quarantine/quarantine.ts',
];
const fragments = countIn(product, /Prisma\.sql`/g);
const kilobytes = (list) => `${Math.round(bytesOf(list) / 1_024)} KB`;
const rows = [
  [
    'ways to start a run (files of the worker)',
    STARTS.filter((file) => files.includes(`apps/worker/src/${file}`)).length,
    '1, and quarantine',
  ],
  [
    'types named …Outcome, …Result, …Ending or …Report on the path of a delivery',
    countIn(ofDelivery, /^export (?:type|interface) \w*(?:Outcome|Result|Ending|Report)\b/gm).total,
    1,
  ],
  ['folders of packages/db in one cycle of value imports', largestCycle(), 0],
  ['files of packages/db that import channels', countIn(ofDb, /from '@postrider\/channels/g).files, 0],
  [
    'fragments of SQL (Prisma.sql), in files',
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
