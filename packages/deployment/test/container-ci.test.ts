import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { openDatabase } from '@postrider/db';
import { createCleanup, startPostgres, startRedis } from '@postrider/local-stack';
import { ROOT } from '@postrider/local-stack/testing';
import { findOnPath } from '@postrider/rig/servers';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { parse } from 'yaml';

/** The workspaces whose tests the container CI runs. */
const WORKSPACES = ['apps/api', 'apps/worker', 'packages/db', 'packages/queue'];
/** The files that are really run. Both use PostgreSQL and Redis. */
const SAMPLE = ['apps/api/test/usage/get-usage.test.ts', 'apps/worker/test/suppressed.test.ts'];
const STORES = ['DATABASE_URL', 'REDIS_URL'] as const;

type Stores = Readonly<Record<(typeof STORES)[number], string>>;

/** A command of the container CI, word for word. */
interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The environment that its file gives it. */
  readonly env: Readonly<Record<string, string>>;
}

interface Result {
  readonly code: number | null;
  readonly output: string;
}

const cleanup = createCleanup();
const directories: string[] = [];
let stores: Stores;

beforeAll(async () => {
  const postgres = await startPostgres({ durable: false });
  cleanup.add(postgres.stop);
  const redis = await startRedis();
  cleanup.add(redis.stop);
  stores = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
});
afterAll(async () => {
  await cleanup.run();
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
});

const read = (file: string) => parse(readFileSync(join(ROOT, file), 'utf8'), { merge: true });

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-test-'));
  directories.push(directory);
  return directory;
}

/** The step of the workflow, as GitHub's runners start it. */
async function workflowCommand(): Promise<Command> {
  const { env, steps } = read('.github/workflows/ci.yml').jobs['service-containers'];
  const [step, ...others] = steps.filter(({ run }: { run?: string }) => run?.includes('npm'));
  expect(others).toEqual([]);
  const { cwd, npm } = await npmIn(ROOT);
  return {
    command: 'bash',
    args: ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `${step.run.trim()} "$@"`, 'bash'],
    cwd,
    env: { ...env, PATH: npm },
  };
}

/** The container of the compose file, whose mount is this checkout. */
async function composeCommand(): Promise<Command> {
  const { entrypoint, command, environment, volumes } = read('docker/compose.test.yml').services.tests;
  const mount = volumes.find((volume: string) => volume.startsWith('..:')).split(':')[1];
  const [program, ...args] = [...entrypoint, ...command].map((word: string) =>
    word.replaceAll('$$', '$').replaceAll(mount, ROOT),
  );
  const { cwd, npm } = await npmIn(await temporaryDirectory());
  return { command: program ?? '', args, cwd, env: { ...environment, PATH: npm } };
}

/**
 * A PATH whose `npm` works in this checkout, where everything is installed and built. Elsewhere it first checks that the
 * directory it was called in has the sources.
 */
async function npmIn(cwd: string): Promise<{ cwd: string; npm: string }> {
  const path = process.env.PATH ?? '';
  const npm = await findOnPath(path, ['npm']);
  const bin = await temporaryDirectory();
  const script = `#!/bin/sh\ncmp package.json '${ROOT}/package.json' && cd '${ROOT}' && exec '${npm}' "$@"\n`;
  await writeFile(join(bin, 'npm'), script, { mode: 0o755 });
  return { cwd, npm: [bin, dirname(process.execPath), path].join(delimiter) };
}

/** Runs the command with further arguments, and with the URLs of servers where its file has those of its containers. */
async function run({ command, args, cwd, env }: Command, further: readonly string[]): Promise<Result> {
  expect(Object.keys(env)).toEqual(expect.arrayContaining([...STORES]));
  const child = spawn(command, [...args, ...further], {
    cwd,
    env: { ...process.env, ...env, ...stores },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** How many sessions the server has had in its first database, which `npm test` uses to create the others. */
async function sessions(): Promise<number> {
  const db = openDatabase(stores.DATABASE_URL, { poolSize: 1 });
  try {
    const [row] = await db.$queryRaw<{ sessions: number }[]>`
      SELECT sessions::int FROM pg_stat_database WHERE datname = 'postgres'`;
    return row?.sessions ?? 0;
  } finally {
    await db.$disconnect();
  }
}

async function testFiles(): Promise<string[]> {
  const listed = await Promise.all(
    WORKSPACES.map(async (workspace) => {
      const entries = await readdir(join(ROOT, workspace, 'test'), { recursive: true });
      return entries.filter((name) => name.endsWith('.test.ts')).map((name) => join(workspace, 'test', name));
    }),
  );
  return listed.flat().sort();
}

describe.each([
  ['the workflow', workflowCommand],
  ['docker/compose.test.yml', composeCommand],
])('the test command of %s', (_name, commandOf) => {
  it('selects every test file of the workspaces that use the stores', async () => {
    const { code, output } = await run(await commandOf(), ['--listTests']);
    const selected = output
      .split('\n')
      .filter((line) => line.startsWith(ROOT) && line.endsWith('.test.ts'))
      .map((file) => relative(ROOT, file));
    expect({ code, selected: selected.sort() }).toEqual({ code: 0, selected: await testFiles() });
  });

  it('runs tests on the servers that its environment names', async () => {
    const directory = await temporaryDirectory();
    const results = join(directory, 'results.json');
    const before = await sessions();
    const others = `^(?!.*/(?:${SAMPLE.join('|')})$)`;
    const { code, output } = await run(await commandOf(), [
      `--testPathIgnorePatterns=${others}`,
      '--json',
      `--outputFile=${results}`,
    ]);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    const { testResults, numPassedTests, numTotalTests } = JSON.parse(readFileSync(results, 'utf8'));
    const files = testResults.map(({ name }: { name: string }) => relative(ROOT, name));
    expect(files.sort()).toEqual(SAMPLE);
    expect(numPassedTests).toBeGreaterThan(SAMPLE.length);
    expect(numPassedTests).toBe(numTotalTests);
    // One more is this test's own.
    expect(await sessions()).toBeGreaterThan(before + 1);
  });
});

describe('the supported versions', () => {
  const page = readFileSync(join(ROOT, 'docs', 'availability.md'), 'utf8');
  const { jobs } = read('.github/workflows/ci.yml');
  const stores: { postgres: string; redis: string; node: string }[] =
    jobs['service-containers'].strategy.matrix.include;
  /** The major versions of a row of the page. */
  const stated = (name: string) => new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(page)?.[1]?.split(', ');
  const majors = (image: string) => [
    ...new Set(stores.flatMap(({ redis }) => new RegExp(`^${image}:(\\d+)`).exec(redis)?.[1] ?? [])),
  ];

  it.each([
    ['PostgreSQL', stores.map(({ postgres }) => postgres)],
    ['Redis', majors('redis')],
    ['Valkey', majors('valkey/valkey')],
    ['Node.js', jobs.checks.strategy.matrix.node],
  ])('of %s are those that the workflow tests', (name, tested) => {
    expect(stated(name)).toEqual([...tested].sort());
  });

  it('of Node.js for the stores are among them', () => {
    for (const { node } of stores) expect(jobs.checks.strategy.matrix.node).toContain(node);
  });
});
