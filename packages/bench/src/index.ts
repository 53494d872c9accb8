import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import type { Extent, Findings, Measure, MeasureDeps } from './measures/measure.ts';
import { goalTable, type MeasureReport, section } from './report.ts';
import { tablesOf, withTables } from './scaling/document.ts';
import { inputsFrom, measuredOn } from './scaling/figures.ts';
import { extentOf, readSettings, type Settings } from './settings.ts';
import { openWorkbench, type Workbench } from './stack/workbench.ts';
import { machineSeconds, processorSeconds } from './usage.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** The machine, versions and settings that the figures were measured with. */
function environmentOf({ databases, redisVersion }: Workbench, { scale, sender }: Settings, extent: Extent) {
  return {
    cpus: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    postgres: databases.version,
    durability: databases.durability,
    redis: redisVersion,
    scale,
    sender,
    rounds: extent.rounds,
  };
}

/** Does the work and returns its result, with the share of the processors (0 to 1) that other programs used. */
async function withDisturbance<T>(work: () => Promise<T>): Promise<{ result: T; disturbance: number }> {
  const read = async () => ({
    atMs: performance.now(),
    machine: await machineSeconds(),
    own: (await processorSeconds([process.pid]))[0] ?? 0,
  });
  const before = await read();
  const result = await work();
  const after = await read();
  const others = after.machine - before.machine - (after.own - before.own);
  const available = ((after.atMs - before.atMs) / 1_000) * cpus().length;
  return { result, disturbance: Math.max(0, others) / available };
}

/** Runs a measure. If it throws, only that measure is void: the figures of the others still count. */
async function findingsOf(measure: Measure, deps: MeasureDeps): Promise<Findings> {
  return measure.run(deps).catch((error: Error) => ({
    name: measure.name,
    title: measure.name,
    rows: [],
    goals: [],
    problems: [`broke off: ${error.stack}`],
    notes: [],
  }));
}

async function run(measure: Measure, deps: MeasureDeps): Promise<MeasureReport> {
  const { result, disturbance } = await withDisturbance(() => findingsOf(measure, deps));
  return { ...result, disturbance };
}

async function runAll(bench: Workbench, settings: Settings): Promise<readonly MeasureReport[]> {
  const extent = extentOf(settings.scale);
  const environment = environmentOf(bench, settings, extent);
  say(`Measured on ${JSON.stringify(environment)}\n`);
  const reports: MeasureReport[] = [];
  for (const measure of settings.measures) {
    const { sender, against } = settings;
    const report = await run(measure, { bench, extent, sender, against, say });
    reports.push(report);
    say(`\n${section(report)}`);
    if (settings.reportFile) {
      await writeFile(settings.reportFile, JSON.stringify({ environment, measures: reports }, null, 2));
    }
  }
  await sayScaling(reports, environment, settings.scalingPage);
  return reports;
}

/** Prints what loads need according to a run's figures, if it has all of them, and writes that into the page. */
async function sayScaling(
  reports: readonly MeasureReport[],
  environment: ReturnType<typeof environmentOf>,
  page: string | null,
): Promise<void> {
  const inputs = inputsFrom(reports);
  if (!inputs) return;
  say(`## Scaling\n\n${Object.values(tablesOf(inputs)).join('\n\n')}\n`);
  if (!page) return;
  const text = withTables(await readFile(page, 'utf8'), inputs, measuredOn(environment, reports));
  await writeFile(page, text);
}

/**
 * `npm run bench -- [measure …]`: runs the named measures, or all. BENCH_SCALE sets how much is measured (0: some
 * minutes; 1: the full form), BENCH_SENDER which HTTP client the workers use. BENCH_REPORT names a file for the
 * figures as JSON, BENCH_AGAINST a built checkout that `processor` compares with, BENCH_SCALING_PAGE a page whose
 * tables are written from the figures of `scaling`. Resolves with the exit code: 1 if a measure was void, because not
 * everything sent was delivered or explained. A missed goal is reported, but is not a failure.
 */
export async function runBench(names: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const settings = readSettings(names, env);
  const bench = await openWorkbench();
  const reports = await runAll(bench, settings).finally(() => bench.close());
  say(`## Goals\n\n${goalTable(reports.flatMap(({ goals }) => goals))}\n`);
  const invalid = reports.filter(({ problems }) => problems.length > 0);
  for (const { name, problems } of invalid) say(`VOID: ${name}: ${problems.join('; ')}`);
  return invalid.length > 0 ? 1 : 0;
}
