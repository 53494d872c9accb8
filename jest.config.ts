/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

/**
 * The files of one process share a module graph, which loads once: in Jest's own sandbox every file would load it again,
 * for half of the time that the tests take. Sources load untranspiled through the `@postrider/source` export condition;
 * packages/local-stack/src/test/main.ts sets both for the processes.
 */
const config: Config = {
  runner: '<rootDir>/packages/testing/src/runner.ts',
  // More than two cores have: the files wait for their servers for half of the time.
  maxWorkers: 5,
  testMatch: ['<rootDir>/{apps,packages}/*/test/**/*.test.ts'],
  transform: {},
};

export default config;
