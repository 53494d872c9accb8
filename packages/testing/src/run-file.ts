import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult, type TestResult } from '@jest/test-result';
import * as circus from 'jest-circus';
import { endProcess } from './index.ts';

/** The default time limit of a test or hook, in milliseconds. Only a hung test reaches it. */
const DEFAULT_TIMEOUT_MS = 180_000;
/** How many checks, a millisecond apart, a loop may survive before its file fails. */
const MAX_CHECKS = 1_000;
/** The report shows the time of a file that takes at least this many milliseconds. */
const SLOW_MS = 5_000;

interface RunFileOptions {
  /** A regular expression; null: every test runs. */
  readonly testNamePattern: string | null;
  readonly testTimeout: number | undefined;
}

// These options load sources in this process. The programs that tests start are built, and start faster without them.
delete process.env.NODE_OPTIONS;

// Loads Node's own fetch, which sets the global dispatcher. Otherwise the npm package undici, which a test file may
// load, would set a dispatcher of another version for the fetch of all later files.
Reflect.get(globalThis, 'Request');

circus.addEventHandler((event) => {
  if (event.name !== 'test_start') return;
  jestExpect.setState({ currentTestName: event.test.name });
});

/**
 * Whether something still runs in every turn of the event loop, such as a condition that nobody waits for any more. It
 * would take a core from all later files of the process.
 */
async function isPolling(): Promise<boolean> {
  for (let turn = 0; turn < MAX_CHECKS; turn += 1) {
    await sleep(1);
    if (!process.getActiveResourcesInfo().includes('Immediate')) return false;
  }
  return true;
}

/** Called by jest-worker before the process ends. */
export const teardown = endProcess;

/** The memory of this process, in bytes. */
export const residentBytes = (): number => process.memoryUsage.rss();

/** Runs the tests of one file in this process and returns what Jest's reporters need. */
export async function runFile(path: string, options: RunFileOptions): Promise<TestResult> {
  circus.resetState();
  const state = circus.getState();
  state.testTimeout = options.testTimeout ?? DEFAULT_TIMEOUT_MS;
  state.testNamePattern = options.testNamePattern === null ? null : new RegExp(options.testNamePattern, 'i');
  jestExpect.setState({ testPath: path });
  const start = Date.now();
  await import(path);
  const { testResults, unhandledErrors } = await circus.run();
  if (await isPolling())
    unhandledErrors.push(
      'A loop with setImmediate still runs after the tests of this file. End it in the test or in afterAll.',
    );
  const end = Date.now();

  const results = testResults.map(
    ({ testPath, duration, errors, status, invocations, numPassingAsserts }) => {
      const [, ...names] = testPath;
      const title = names.at(-1) ?? '';
      return {
        ancestorTitles: names.slice(0, -1),
        duration: duration ?? null,
        failureDetails: [],
        failureMessages: errors,
        fullName: names.join(' '),
        invocations,
        location: null,
        numPassingAsserts,
        status:
          status === 'skip'
            ? ('pending' as const)
            : errors.length > 0
              ? ('failed' as const)
              : ('passed' as const),
        title,
      };
    },
  );
  const failures = [
    ...unhandledErrors,
    ...results.flatMap(({ fullName, failureMessages }) =>
      failureMessages.map((message) => `  ● ${fullName}\n\n${indent(message)}`),
    ),
  ];
  const count = (status: string) => results.filter((result) => result.status === status).length;
  const empty = createEmptyTestResult();
  return {
    ...empty,
    failureMessage: failures.length > 0 ? `${failures.join('\n\n')}\n` : null,
    numFailingTests: count('failed') + unhandledErrors.length,
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    perfStats: { ...empty.perfStats, start, end, runtime: end - start, slow: end - start > SLOW_MS },
    testFilePath: path,
    testResults: results,
  };
}

const indent = (text: string) => stripVTControlCharacters(text).replaceAll(/^/gm, '    ');
