export { filesThatRun } from './files-that-run.ts';
export { followData, importObserved } from './observed.ts';

import { jestExpect } from '@jest/expect';
import type * as Globals from '@jest/globals';
import * as circus from 'jest-circus';

/**
 * Jest's functions for a test file. Use these in place of `@jest/globals`, which works only inside the sandbox of Jest's
 * own runner; `runner.ts` explains why there is another one.
 */
export const expect = jestExpect as unknown as typeof Globals.expect;
export const it = circus.it as unknown as typeof Globals.it;
export const describe = circus.describe as unknown as typeof Globals.describe;
export const beforeAll: typeof Globals.beforeAll = circus.beforeAll;
export const beforeEach: typeof Globals.beforeEach = circus.beforeEach;
export const afterAll: typeof Globals.afterAll = circus.afterAll;
export const afterEach: typeof Globals.afterEach = circus.afterEach;

/**
 * Defines a suite with what it needs beyond the packages of npm. If that was not found, prints why and reports one skipped
 * test, on which `.ci/run` fails.
 */
export function describeWith<Needed>(
  found: { readonly ok: true; readonly value: Needed } | { readonly ok: false; readonly reason: string },
  name: string,
  suite: (needed: Needed) => void,
): void {
  if (found.ok) {
    describe(name, () => suite(found.value));
    return;
  }
  const title = `${name} (cannot run: ${found.reason})`;
  process.stderr.write(`Skipped: ${title}\n`);
  it.skip(title, () => undefined);
}

/** Something that waits until the test opens it. */
export function createLatch(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const endings: (() => Promise<void>)[] = [];

/** Registers `end` to be called after the last test file of this process, to close what its files share. */
export function atProcessEnd(end: () => Promise<void>): void {
  endings.push(end);
}

/** Calls the functions that were passed to {@link atProcessEnd}. */
export async function endProcess(): Promise<void> {
  await Promise.all(endings.splice(0).map((end) => end()));
}
