import { Session } from 'node:inspector/promises';
import { pathOf } from './observed.ts';

/** Rules and names that a reader of a path looks up, logs, and what only tests use. */
const NOT_ON_A_PATH = /^packages\/(?:domain|telemetry|testing|rig)\/|\/testing\//;
/** What runs from time to time does not run in all of them. */
const TIMES = 5;

/**
 * The source files of the service with a function that runs in each of several calls of `work`, as paths from the root of the
 * repository, in order. `prepare` is called before each, and what it runs is not counted. Call `work` a few times before, so that
 * nothing is loaded, connected or cached for the first time.
 */
export async function filesThatRun<Prepared>(
  prepare: () => Promise<Prepared>,
  work: (prepared: Prepared) => Promise<unknown>,
): Promise<string[]> {
  const root = new URL('../../../', import.meta.url).href;
  const session = new Session();
  session.connect();
  let files: string[] | undefined;
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    for (let times = 0; times < TIMES; times += 1) {
      const prepared = await prepare();
      await session.post('Profiler.takePreciseCoverage');
      await work(prepared);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const ran = result
        .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
        .flatMap(({ url }) => (url.startsWith(root) ? [pathOf(url)] : []));
      files = files ? files.filter((file) => ran.includes(file)) : ran;
    }
  } finally {
    session.disconnect();
  }
  return (files ?? [])
    .filter((path) => /^(?:apps|packages)\/[^/]+\/src\//.test(path) && !NOT_ON_A_PATH.test(path))
    .sort();
}
