/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

/**
 * The files of one process share a module graph, which loads once: in Jest's own sandbox every file would load it again,
 * for half of the time that the tests take. Sources load untranspiled through the `@postrider/source` export condition,
 * which scripts/test.mjs sets for the processes, with what takes the types away.
 */
const config: Config = {
  runner: '<rootDir>/packages/testing/src/runner.ts',
  // More than two cores have: the files wait for their servers for half of the time.
  maxWorkers: 5,
  testMatch: ['<rootDir>/{apps,packages}/*/test/**/*.test.ts'],
  transform: {},
};

export default config;
