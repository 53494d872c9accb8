import { fileURLToPath } from 'node:url';
import type { SerializableError, Test } from '@jest/test-result';
import { CallbackTestRunner, type OnTestFailure, type OnTestStart, type OnTestSuccess } from 'jest-runner';
import { type JestWorkerFarm, Worker } from 'jest-worker';
import type * as RunFile from './run-file.ts';

/** A process whose memory exceeds this is replaced before its next file. */
const PROCESS_MEMORY_LIMIT_BYTES = 1_500_000_000;

/**
 * The files that take more than 15 s, mostly because they wait for programs that they start. They begin first, so that
 * none runs alone at the end. Jest itself learns their times only from a run in the same checkout.
 */
const SLOW_FILES = [
  'packages/hostile/test/hostile.test.ts',
  'apps/worker/test/rendering.test.ts',
  'packages/local-stack/test/npm-start.test.ts',
  'apps/api/test/process.test.ts',
  'packages/rendering/test/hostile.test.ts',
  'packages/local-stack/test/redis-topologies.test.ts',
  'apps/worker/test/quarantine/quarantine.test.ts',
  'apps/api/test/admin/token-life.test.ts',
  'apps/worker/test/jobs.test.ts',
  'apps/worker/test/redis-away.test.ts',
  'packages/cli/test/process.test.ts',
];

function slowFirst(tests: readonly Test[]): Test[] {
  const isSlow = ({ path }: Test) => SLOW_FILES.some((file) => path.endsWith(`/${file}`));
  return [...tests.filter(isSlow), ...tests.filter((test) => !isSlow(test))];
}

/**
 * Runs test files in processes that load each module once. Jest's own runner loads the whole module graph again for
 * every file, which took half of the time of all tests. The price is isolation: the files of a process share modules
 * and globals. Code under test must therefore not keep state in a module, which our rules forbid anyway.
 */
export default class SharedModulesRunner extends CallbackTestRunner {
  async runTests(
    tests: Test[],
    watcher: { isInterrupted(): boolean },
    onStart: OnTestStart,
    onResult: OnTestSuccess,
    onFailure: OnTestFailure,
  ): Promise<void> {
    const { maxWorkers, testNamePattern = null, testTimeout } = this._globalConfig;
    const processes = Math.min(maxWorkers, tests.length);
    const worker = new Worker(fileURLToPath(new URL('./run-file.ts', import.meta.url)), {
      exposedMethods: ['runFile'],
      numWorkers: processes,
      maxRetries: 0,
      idleMemoryLimit: PROCESS_MEMORY_LIMIT_BYTES,
      forkOptions: { serialization: 'advanced', stdio: 'inherit' },
    }) as unknown as JestWorkerFarm<typeof RunFile>;
    const waiting = slowFirst(tests).values();

    async function runNext(): Promise<void> {
      for (const test of waiting) {
        if (watcher.isInterrupted()) return;
        await onStart(test);
        try {
          await onResult(test, await worker.runFile(test.path, { testNamePattern, testTimeout }));
        } catch (error) {
          await onFailure(test, error as SerializableError);
        }
      }
    }

    try {
      await Promise.all(Array.from({ length: processes }, runNext));
    } finally {
      await worker.end();
    }
  }
}
