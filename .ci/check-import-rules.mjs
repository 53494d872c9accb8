/**
 * Checks that biome.json's rules on imports and file length work. It lints each line below in its own file in the given
 * directory, two files that import each other, and a file that is too long. If a rule was renamed, moved or shadowed by
 * a later override, its file would pass. Also checks that no folder imports itself through others, and that no package
 * depends on itself through others, for its build or its tests: turbo could not order them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderCycles } from '../scripts/folder-cycles.mjs';

const FORBIDDEN = [
  ['packages/domain/src', "import { db } from '@postrider/db';"],
  ['packages/domain/src', "import express from 'express';"],
  ['packages/domain/src', "import { PrismaClient } from '@prisma/client';"],
  ['packages/domain/src', "import { Queue } from 'bullmq';"],
  ['packages/domain/src', "import { Client } from 'pg';"],
  ['packages/domain/src', "import { Redis } from 'ioredis';"],
  ['packages/domain/src', "import { readFile } from 'node:fs/promises';"],
  ['packages/domain/src', 'export const env = process.env.HOME;'],
  ['packages/channels/src', "import { openDatabase } from '@postrider/db';"],
  ['packages/channels/src', "import { createApp } from '@postrider/api';"],
  ['packages/channels/src', 'export const env = process.env.HOME;'],
  ['packages/db/src', "import { createHttpClient } from '@postrider/channels/network';"],
  ['packages/domain/src', "import { channelKinds } from '@postrider/channels';"],
  ['packages/client/src', "import { channelKinds } from '@postrider/channels';"],
  ['packages/db/src', "import { createProducer } from '@postrider/queue';"],
  ['packages/queue/src', "import { openDatabase } from '@postrider/db';"],
  ['packages/fairness/src', "import { createLogger } from '@postrider/telemetry';"],
  ['packages/listener/src', "import { createLogger } from '@postrider/telemetry';"],
  ['packages/kafka-producer/src', "import { channelKinds } from '@postrider/channels';"],
  ['packages/kafka-producer/src', "import { parseId } from '@postrider/domain';"],
  ['packages/db/src', "import { createApp } from '@postrider/api';"],
  ['packages/db/src', "import { channelKinds } from '@postrider/channels';"],
  ['packages/db/src', 'export const env = process.env.HOME;'],
  ['packages/db/src', "import { names } from '../../queue/src/job.ts';"],
  ['packages/client/src', "import { parseId } from '@postrider/domain';"],
  ['packages/client/src', "import { readFile } from 'node:fs/promises';"],
  ['packages/console/src', "import { parseId } from '@postrider/domain';"],
  ['packages/console/src', "import { readFile } from 'node:fs/promises';"],
  ['packages/console/src', "import lodash from 'lodash';"],
  ['packages/portal/src', "import { parseId } from '@postrider/domain';"],
  ['packages/portal-react/src', "import { readFile } from 'node:fs/promises';"],
  ['packages/cli/src', "import { startRedis } from '@postrider/local-stack';"],
  ['packages/local-stack/src', "import { createFixture } from '@postrider/db/testing';"],
  ['packages/local-stack/src', "import { waitFor } from '@postrider/rig';"],
  ['packages/local-stack/src/testing', "import { createApp } from '@postrider/api';"],
  ['packages/rig/src', "import { openDatabase } from '@postrider/db';"],
  ['packages/rig/src', "import { startProgram } from '@postrider/local-stack';"],
  ['packages/domain/src', "import { waitFor } from '@postrider/rig';"],
  ['packages/db/src', "import { startTcpProxy } from '@postrider/rig';"],
  ['packages/client/src', "import { openConnections } from '@postrider/rig';"],
  ['packages/faults/src', "import { createApp } from '@postrider/api';"],
  ['packages/faults/src', "import lodash from 'lodash';"],
  ['packages/deployment/src', "import { createApp } from '@postrider/api';"],
  ['packages/hostile/src', "import { createApp } from '@postrider/api';"],
  ['packages/bench/src', "import { startWorker } from '@postrider/worker';"],
  ['packages/bench/src', "import { runFaults } from '@postrider/faults';"],
  ['apps/api/src', "import { consume } from '@postrider/worker';"],
  ['apps/worker/src', "import { createApp } from '@postrider/api';"],
  ['apps/worker/src', "import { createApp } from '../../api/src/app.ts';"],
  ['apps/api/src', "import { createFixture } from '@postrider/db/testing';"],
  ['apps/worker/src', "import { runFaults } from '@postrider/faults';"],
  ['apps/api/src', "import { runBench } from '@postrider/bench';"],
  ['apps/worker/src', "import { startSmtpReceiver } from '@postrider/rig';"],
  ['packages/cli/src', "import { startHttpReceiver } from '@postrider/rig';"],
  ['apps/api/src', "import { runHostile } from '@postrider/hostile';"],
  ['apps/api/src', "import lodash from 'lodash';"],
  ['apps/api/src', 'export const env = process.env.HOME;'],
  ['packages/domain/test', "import { openDatabase } from '@postrider/db';"],
  ['packages/telemetry/test', "import { createProducer } from '@postrider/queue';"],
  ['apps/worker/test', "import { createApp } from '@postrider/api';"],
  ['packages/client/examples', "import lodash from 'lodash';"],
];
const MAX_LINES = 350;
/** Where folders still import each other. Everywhere else no folder may import, through others, a folder that imports it. */
const WITH_FOLDER_CYCLES = [
  'apps/api',
  'apps/worker',
  'packages/cli',
  'packages/client',
  'packages/console',
  'packages/deployment',
];
/** Files without a cycle between them, but with one between their folders. */
const FOLDER_CYCLE = [
  {
    file: 'packages/db/src/console/planted-folder.ts',
    text: "export { deleteExpiredAnswers } from '../sweep/expire.ts';\n",
  },
  {
    file: 'packages/db/src/sweep/planted-folder.ts',
    text: "export { deleteExpiredConsoleSessions } from '../console/sessions.ts';\n",
  },
];
const PLANTED = [
  ...FORBIDDEN.map(([directory, line], index) => ({
    file: `${directory}/planted-violation-${index}.ts`,
    text: `${line}\n`,
  })),
  ...['one', 'other'].map((name, index, names) => ({
    file: `packages/domain/src/planted-cycle-${name}.ts`,
    text: `export { default } from './planted-cycle-${names[1 - index]}.ts';\n`,
  })),
  ...['apps/worker/src', 'packages/client/src'].map((directory) => ({
    file: `${directory}/planted-long-file.ts`,
    text: 'export {};\n'.repeat(MAX_LINES + 1),
  })),
];
const RULES = [
  'lint/style/noRestrictedImports',
  'lint/style/noProcessEnv',
  'lint/style/noExcessiveLinesPerFile',
  'lint/correctness/noUndeclaredDependencies',
  'lint/suspicious/noImportCycles',
];

/** Removes the files of this run, and those of an earlier run that was killed. */
function removePlanted() {
  for (const directory of new Set([...PLANTED, ...FOLDER_CYCLE].map(({ file }) => dirname(file)))) {
    for (const name of readdirSync(directory)) if (name.startsWith('planted-')) rmSync(join(directory, name));
  }
}

// The linter runs synchronously, so signals are handled after the files have been removed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
removePlanted();
for (const { file, text } of [...PLANTED, ...FOLDER_CYCLE]) writeFileSync(file, text);
try {
  const files = PLANTED.map(({ file }) => file);
  const args = ['--no', 'biome', 'lint', '--reporter=json', '--max-diagnostics=none', ...files];
  const { stdout } = spawnSync('npx', args, { encoding: 'utf8' });
  const caught = new Set(
    JSON.parse(stdout)
      .diagnostics.filter(({ category }) => RULES.includes(category))
      .map(({ location }) => location.path?.file ?? location.path),
  );
  const isFolderCycleFound = folderCycles('packages/db/src').some((folders) => folders.includes('console'));
  const passed = [
    ...PLANTED.filter(({ file }) => !caught.has(file)),
    ...(isFolderCycleFound ? [] : FOLDER_CYCLE),
  ];
  process.stdout.write(`${PLANTED.length} planted violations, ${passed.length} not caught\n`);
  for (const { file, text } of passed) process.stdout.write(`${file}: ${text.split('\n', 1)}\n`);
  process.exitCode = passed.length > 0 ? 1 : 0;
} finally {
  removePlanted();
}

const packages = new Map(
  ['apps', 'packages'].flatMap((folder) =>
    readdirSync(folder)
      .map((name) => join(folder, name, 'package.json'))
      .filter((file) => existsSync(file))
      .map((file) => {
        const { name, dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
        return [name, Object.keys({ ...dependencies, ...devDependencies })];
      }),
  ),
);

/** The path of dependencies from a package back to itself; null if there is none. */
function findPackageCycle(name, path = [], checked = new Set()) {
  if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
  if (checked.has(name)) return null;
  checked.add(name);
  for (const needed of packages.get(name) ?? []) {
    const cycle = findPackageCycle(needed, [...path, name], checked);
    if (cycle) return cycle;
  }
  return null;
}

const cycle = [...packages.keys()].map((name) => findPackageCycle(name)).find(Boolean);
process.stdout.write(cycle ? `a cycle of packages: ${cycle.join(' -> ')}\n` : 'no cycle of packages\n');
if (cycle) process.exitCode = 1;

const cycles = ['apps', 'packages']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  .filter((name) => !WITH_FOLDER_CYCLES.includes(name))
  .flatMap((name) => folderCycles(join(name, 'src')).map((names) => `${name}: ${names.join(', ')}`));
process.stdout.write(
  cycles.length > 0 ? `cycles of folders: ${cycles.join('; ')}\n` : 'no cycle of folders\n',
);
if (cycles.length > 0) process.exitCode = 1;
