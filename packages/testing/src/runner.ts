import { fileURLToPath } from 'node:url';
import type { SerializableError, Test } from '@jest/test-result';
import { CallbackTestRunner, type OnTestFailure, type OnTestStart, type OnTestSuccess } from 'jest-runner';
import { type JestWorkerFarm, Worker } from 'jest-worker';
import type * as RunFile from './run-file.ts';

/** A process that has grown beyond this is replaced before its next file. */
const PROCESS_MEMORY_LIMIT_BYTES = 1_500_000_000;

/**
 * Runs test files in processes that load each module once. Jest's own runner loads the whole module graph again for
 * every file, which took half of the time of all tests. What this gives up is isolation: the files of a process share
 * its modules and globals, so code under test must not keep state in a module, which our rules forbid anyway.
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
    const waiting = tests.values();

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
