import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { CommandFailed, main, ROOT } from './root.mjs';

/** A program: what is built for it, the built module that has it, and its call with the arguments of the command line. */
const PROGRAMS = {
  artefacts: ['.', 'deployment/dist', ({ proveArtefacts }) => proveArtefacts()],
  bench: ['.', 'bench/dist', ({ runBench }, args) => runBench(args, process.env)],
  conformance: ['packages/rig', 'rig/dist/conformance', ({ serveConformance }) => serveConformance()],
  faults: ['.', 'faults/dist', ({ runFaults }, args) => runFaults(args, process.env)],
  fuzz: ['.', 'hostile/dist', ({ runFuzz }) => runFuzz(process.env)],
  hostile: ['.', 'hostile/dist', ({ runHostile }, args) => runHostile(args, process.env)],
  chart: [
    'packages/deployment',
    'deployment/dist',
    ({ proveChartOnApiServer }) => proveChartOnApiServer(process.env),
  ],
  'redis-topologies': [
    'packages/local-stack',
    'local-stack/dist/testing',
    ({ testRedisTopologies }, args) => testRedisTopologies(args),
  ],
  'render-chart': ['packages/deployment', 'deployment/dist', ({ renderChart }) => renderChart()],
  'rolling-restart': ['.', 'deployment/dist', ({ proveRollingRestart }) => proveRollingRestart()],
  size: ['.', 'faults/dist', ({ runSize }, args) => runSize(args, process.env)],
};

/** node scripts/run.mjs PROGRAM [ARGUMENTS]: prepares, builds, and runs a program of a package. CONTRIBUTING.md has them. */
await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  const program = PROGRAMS[name];
  if (!program)
    throw new CommandFailed(`There is no program ${name}. There are ${Object.keys(PROGRAMS).join(', ')}.`);
  const [build, directory, call] = program;
  await prepare({ build });
  return call(await import(join(ROOT, 'packages', directory, 'index.js')), args);
});
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit();
