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
  'packages/deployment/test/container-ci.test.ts',
  'packages/cli/test/process.test.ts',
  'packages/console/test/screens.test.ts',
  'packages/console/test/channels.test.ts',
  'packages/console/test/support-case.test.ts',
  'packages/console/test/unsubscribe.test.ts',
  'packages/console/test/actions.test.ts',
  'packages/console/test/environment.test.ts',
  'packages/db/test/migrations.test.ts',
  'packages/faults/test/model.test.ts',
  'apps/api/test/console/sessions.test.ts',
];

function slowFirst(tests: readonly Test[]): Test[] {
  const isSlow = ({ path }: Test) => SLOW_FILES.some((file) => path.endsWith(`/${file}`));
  return [...tests.filter(isSlow), ...tests.filter((test) => !isSlow(test))];
}

/** Jest's own limit of memory (`idleMemoryLimit`) fails the next file if no retries are allowed. */
const startProcess = () =>
  new Worker(fileURLToPath(new URL('./run-file.ts', import.meta.url)), {
    exposedMethods: ['runFile', 'residentBytes'],
    numWorkers: 1,
    maxRetries: 0,
    forkOptions: { serialization: 'advanced', stdio: 'inherit' },
  }) as unknown as JestWorkerFarm<typeof RunFile>;

/**
 * Runs test files in processes that load each module once. Jest's own runner loads the whole module graph again for
 * every file, which took half of the time of all tests. The price is isolation: the files of a process share modules
 * and globals. So code under test must not keep state in a module.
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
    const waiting = slowFirst(tests).values();

    /** Runs files in one process after the other, until none waits. */
    async function runInTurn(): Promise<void> {
      let worker = startProcess();
      try {
        for (const test of waiting) {
          if (watcher.isInterrupted()) return;
          await onStart(test);
          try {
            await onResult(test, await worker.runFile(test.path, { testNamePattern, testTimeout }));
            if ((await worker.residentBytes()) <= PROCESS_MEMORY_LIMIT_BYTES) continue;
          } catch (error) {
            await onFailure(test, error as SerializableError);
          }
          await worker.end();
          worker = startProcess();
        }
      } finally {
        await worker.end();
      }
    }

    await Promise.all(Array.from({ length: processes }, runInTurn));
  }
}
