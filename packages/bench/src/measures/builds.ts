import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { interleave, type Row, row, type Values } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { openWorkbench, type Workbench } from '../stack/workbench.ts';
import { spend } from '../usage.ts';
import { type Deliveries, deliverEvents } from './loads.ts';
import type { Findings, MeasureDeps } from './measure.ts';

/** The processes whose time counts. */
const PROCESSES = ['api', 'worker', 'postgres', 'redis'] as const;

/** What is measured, and where its problems are collected. */
interface Subject {
  readonly bench: Workbench;
  readonly installation: Installation;
  readonly problems: string[];
}

/** A build with stores, receivers and a load generator of its own. */
interface OpenBuild {
  /** Sends the load. Returns the processor seconds of each process and of all four, per 1,000 delivered events. */
  round(load: Deliveries): Promise<Values>;
  close(): Promise<void>;
}

/** The parts of the benchmark that run a build: each checkout has its own, which know its schema. */
interface BuildParts {
  readonly openWorkbench: typeof openWorkbench;
  readonly openInstallation: typeof openInstallation;
  readonly deliverEvents: typeof deliverEvents;
}

async function partsOf(checkout: string): Promise<BuildParts> {
  const load = (file: string) =>
    import(pathToFileURL(join(checkout, 'packages', 'bench', 'dist', file)).href);
  const files = ['stack/workbench.js', 'stack/installation.js', 'measures/loads.js'];
  return Object.assign({}, ...(await Promise.all(files.map(load))));
}

async function openBuild(parts: BuildParts, { sender }: MeasureDeps, problems: string[]): Promise<OpenBuild> {
  const bench = await parts.openWorkbench();
  const installation = await parts.openInstallation(bench, { sender }).catch(async (error) => {
    await bench.close();
    throw error;
  });
  return {
    round: (load) =>
      costOf({ bench, installation, problems }, load, () => parts.deliverEvents(bench, installation, load)),
    async close() {
      await installation.close();
      await bench.close();
    },
  };
}

/** Delivers a load. Returns the processor seconds of each process and of all four, per 1,000 events. */
export async function costOf(
  { bench, installation, problems }: Subject,
  load: Deliveries,
  deliver = () => deliverEvents(bench, installation, load),
): Promise<Values> {
  const [api, worker] = [installation.apis[0]?.pid ?? 0, installation.workers[0]?.pid ?? 0];
  const spent = await spend({ api, worker, ...bench.pids }, async () => {
    const run = await deliver();
    problems.push(...run.problems);
    return run.arrivals.distinct;
  });
  return { ...spent, total: Object.values(spent).reduce((sum, seconds) => sum + seconds, 0) };
}

const LOADS = [
  { connections: 64, events: 4_000 },
  { connections: 8, events: 1_000 },
  { connections: 1, events: 300 },
] as const;

/** The figure of one process in each round. */
export const secondsOf = (rounds: readonly Values[], name: string) =>
  rounds.map((values) => ({ seconds: values[name] ?? Number.NaN }));

/** All four processes first, then each; with the ratios to another build, if there are rounds of one. */
export function rowsOver(connections: string, rounds: readonly Values[], others?: readonly Values[]): Row[] {
  return ['total', ...PROCESSES].map((name) =>
    row({
      what: `${name === 'total' ? 'all four' : name}, per 1,000 events sent over ${connections}`,
      unit: 's',
      rounds: secondsOf(rounds, name),
      ...(others && { floor: { what: 'the other build', rounds: secondsOf(others, name) } }),
    }),
  );
}

/**
 * Compares the processor time of an event with that of the build in another checkout. Both run side by side, and short
 * rounds alternate: rounds of two runs one after the other differ more by the machine's noise than by the builds. The other
 * checkout must be built.
 */
export async function compareBuilds(deps: MeasureDeps, checkout: string): Promise<Findings> {
  const problems: string[] = [];
  const others = await partsOf(checkout);
  const builds: OpenBuild[] = [];
  try {
    for (const parts of [{ openWorkbench, openInstallation, deliverEvents }, others]) {
      builds.push(await openBuild(parts, deps, problems));
    }
    const rows: Row[] = [];
    for (const load of LOADS) {
      deps.say(`processor: ${load.connections} connections, against ${checkout}`);
      const rounds = builds.map((build) => () => build.round(load));
      for (const round of rounds) await round();
      const [own = [], other = []] = await interleave(deps.extent.amount(9, 30), rounds);
      rows.push(...rowsOver(`${load.connections}`, own, other));
    }
    return {
      name: 'processor',
      title: 'Processor seconds per 1,000 events, compared with another build',
      rows,
      goals: [],
      problems,
      notes: [
        'Counted by the kernel; Postgres with all of its processes. Ratios are medians of neighbouring rounds.',
      ],
    };
  } finally {
    for (const build of builds) await build.close();
  }
}
