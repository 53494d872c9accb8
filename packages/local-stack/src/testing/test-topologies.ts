import { join } from 'node:path';
import { startProgram } from '@postrider/rig/servers';
import { type Cleanup, createCleanup } from '../cleanup.ts';
import { startRedisCluster } from './redis-cluster.ts';
import { startRedisBehindSentinel } from './redis-sentinel.ts';
import { ROOT } from './service-process.ts';

/** The workspaces that use Redis. */
const USE_REDIS = ['apps/api', 'apps/worker', 'packages/queue'];

interface Topology {
  readonly name: string;
  start(): Promise<{ readonly url: string; stop(): Promise<void> }>;
}

const TOPOLOGIES: readonly Topology[] = [
  { name: 'Redis in Cluster mode', start: () => startRedisCluster('postrider') },
  { name: 'Redis behind Sentinel', start: startRedisBehindSentinel },
];

/** Runs `npm test` against one topology, and resolves with its exit code. */
async function testOn({ name, start }: Topology, jestArguments: readonly string[], cleanup: Cleanup) {
  process.stdout.write(`\n=== ${name}\n`);
  const redis = await start();
  cleanup.add(redis.stop);
  const tests = await startProgram({
    name: 'npm test',
    command: process.execPath,
    args: [
      join(ROOT, 'scripts', 'test.mjs'),
      ...USE_REDIS.map((workspace) => `--roots=${join(ROOT, workspace, 'test')}`),
      ...jestArguments,
    ],
    cwd: ROOT,
    env: { ...process.env, REDIS_URL: redis.url },
    output: 'inherit',
  });
  cleanup.add(tests.stop);
  return (await tests.exited).code ?? 1;
}

/**
 * `npm run test:redis-topologies`: runs the tests of everything that uses Redis against each of its topologies in turn,
 * with these additional arguments for Jest. Prints the result of each. Resolves with 1 if a test failed on any of them,
 * otherwise with 0.
 */
export async function testRedisTopologies(jestArguments: readonly string[]): Promise<0 | 1> {
  const results: { line: string; passed: boolean }[] = [];
  for (const topology of TOPOLOGIES) {
    const cleanup = createCleanup();
    const began = performance.now();
    try {
      const passed = (await testOn(topology, jestArguments, cleanup)) === 0;
      const seconds = Math.round((performance.now() - began) / 1_000);
      results.push({ line: `${topology.name}: ${passed ? 'passed' : 'FAILED'}, ${seconds} s`, passed });
    } finally {
      await cleanup.run();
    }
  }
  process.stdout.write(`\n${results.map(({ line }) => line).join('\n')}\n`);
  return results.every(({ passed }) => passed) ? 0 : 1;
}
