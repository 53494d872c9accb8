import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { sideBySide } from '@postrider/rig';
import { hasFailed, render, type ScenarioReport, table } from './report.ts';
import { runScenario } from './run-scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { createClusterTemplate } from './stack/cluster-template.ts';
import { migrateWith, type Release } from './upgrade/installation.ts';
import { createRollingUpgrade } from './upgrade/rolling-upgrade.ts';

export { runSize } from './size/index.ts';
export type { Release } from './upgrade/installation.ts';
export { recordRelease } from './upgrade/record-release.ts';

/**
 * How many scenarios of the short form share the machine; they mostly wait. In the long form each runs alone.
 */
const AT_ONCE = 4;

interface Settings {
  readonly scale: number;
  /** Null: each scenario chooses its own. */
  readonly seed: number | null;
  /** The file that the reports are written to as JSON, if any. */
  readonly reportFile: string | null;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${name} is not a whole number: ${text}`);
  return Number(text);
}

function readSettings({ FAULTS_SCALE, FAULTS_SEED, FAULTS_REPORT }: NodeJS.ProcessEnv): Settings {
  const scale = Number(FAULTS_SCALE || 0);
  if (!(scale >= 0)) throw new Error(`FAULTS_SCALE is not a number from 0 on: ${FAULTS_SCALE}`);
  return {
    scale,
    seed: FAULTS_SEED ? wholeNumber('FAULTS_SEED', FAULTS_SEED) : null,
    reportFile: FAULTS_REPORT || null,
  };
}

/** The scenarios with these numbers or names; all if none is given. */
function chosen(names: readonly string[]): readonly Scenario[] {
  const isNamed = ({ name, number }: Scenario, by: string) => by === name || by === String(number);
  const unknown = names.filter((by) => !SCENARIOS.some((scenario) => isNamed(scenario, by)));
  if (unknown.length > 0) throw new Error(`there is no scenario ${unknown.join(', ')}`);
  return SCENARIOS.filter((scenario) => names.length === 0 || names.some((by) => isNamed(scenario, by)));
}

/** The reports for programs: whether each scenario held. */
const asJson = (reports: readonly ScenarioReport[]) =>
  JSON.stringify(
    reports.map((report) => ({ ...report, held: !hasFailed(report) })),
    null,
    2,
  );

const say = (text: string) => process.stdout.write(`${text}\n`);

function abortOnSignal(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
  }
  return interrupted.signal;
}

/** Runs the scenarios, those that measure time alone, and prints and stores each report when it is ready. */
async function runAll(
  scenarios: readonly Scenario[],
  { scale, seed, reportFile }: Settings,
): Promise<readonly ScenarioReport[]> {
  const signal = abortOnSignal();
  const reports: ScenarioReport[] = [];
  const template = await createClusterTemplate();
  async function run(scenario: Scenario, isAlone: boolean): Promise<void> {
    const chosenSeed = seed ?? randomInt(2 ** 31);
    say(`begins ${scenario.number} ${scenario.name}: ${scenario.fault} (seed ${chosenSeed})`);
    const report = await runScenario(scenario, {
      template,
      seed: chosenSeed,
      scale,
      isAlone,
      signal,
    });
    reports.push(report);
    say(render(report));
    if (reportFile) await writeFile(reportFile, asJson(reports));
  }
  try {
    const measuring = scenarios.filter(({ isMeasuring }) => isMeasuring);
    const waiting = scenarios.filter(({ isMeasuring }) => !isMeasuring);
    // The longest first, so that none of them runs alone at the end.
    waiting.sort((a, b) => (b.shortSeconds ?? 0) - (a.shortSeconds ?? 0));
    const atOnce = scale > 0 || scenarios.length === 1 ? 1 : AT_ONCE;
    await sideBySide(waiting, atOnce, (scenario) => run(scenario, atOnce === 1));
    await sideBySide(measuring, 1, (scenario) => run(scenario, true));
  } finally {
    await template.remove();
  }
  return reports;
}

/**
 * `npm run test:faults -- [number or name …]`: runs the named scenarios, or all. FAULTS_SCALE sets how much of the long
 * form runs (0: the short form, 1: everything), FAULTS_SEED determines the random choices, FAULTS_REPORT names a file
 * for the reports as JSON. Resolves with the exit code: 1 if a scenario did not hold.
 */
export async function runFaults(names: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const reports = await runAll(chosen(names), readSettings(env));
  say(`\n${table(reports)}\n`);
  const failed = reports.filter(hasFailed);
  for (const report of failed) say(`DID NOT HOLD: ${report.number} ${report.name}, seed ${report.seed}`);
  return failed.length > 0 ? 1 : 0;
}

/**
 * `npm run test:rolling-upgrade`: upgrades an installation of the release under load, prints the report and a table of
 * the stages, and resolves with the exit code. FAULTS_SEED determines the random choices.
 */
export async function runRollingUpgrade(release: Release, env: NodeJS.ProcessEnv): Promise<number> {
  const seed = readSettings(env).seed ?? randomInt(2 ** 31);
  const signal = abortOnSignal();
  const { scenario, table: stageTable } = createRollingUpgrade(release);
  const template = await createClusterTemplate((databaseUrl) => migrateWith(release, databaseUrl));
  try {
    const report = await runScenario(scenario, { template, seed, scale: 0, isAlone: true, signal });
    say(`${render(report)}\n\n${stageTable()}\n`);
    return hasFailed(report) ? 1 : 0;
  } finally {
    await template.remove();
  }
}
