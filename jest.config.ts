/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

const workspaces = [
  'packages/rig',
  'packages/domain',
  'packages/config',
  'packages/listener',
  'packages/telemetry',
  'packages/rendering',
  'packages/db',
  'packages/queue',
  'packages/local-stack',
  'packages/client',
  'packages/cli',
  'packages/faults',
  'packages/deployment',
  'packages/bench',
  'packages/hostile',
  'apps/api',
  'apps/worker',
];

/**
 * Each workspace is a project; sources load untranspiled through the `@postrider/source` export condition.
 */
const config: Config = {
  coverageProvider: 'v8',
  testTimeout: 60_000,
  // Files mostly wait for their servers: two at a time take half as long, also where there is but one core to spare.
  // More would need more connections than one Postgres has by default.
  maxWorkers: 2,
  // Jest keeps the modules of every ES module file that it has run; a worker is replaced when they get too many.
  workerIdleMemoryLimit: '1.5GB',
  projects: workspaces.map((workspace) => ({
    displayName: workspace.split('/')[1] as string,
    rootDir: workspace,
    testMatch: ['<rootDir>/test/**/*.test.ts'],
    extensionsToTreatAsEsm: ['.ts'],
    testEnvironmentOptions: {
      customExportConditions: ['@postrider/source', 'node', 'node-addons'],
    },
    transform: {
      '^.+\\.ts$': [
        '@swc/jest',
        {
          jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
          module: { type: 'es6' },
        },
      ],
    },
  })),
};

export default config;
