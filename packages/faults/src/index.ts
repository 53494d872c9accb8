import { randomInt } from 'node:crypto';
import { hasFailed, runScenario, type ScenarioReport } from './run-scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';

/** Violations of one report that are shown; one mistake tends to have many. */
const SHOWN = 10;

/** Renders what a scenario showed, for people. */
function render(report: ScenarioReport): string {
  const { number, name, seed, seconds, drainSeconds, summary, figures, unmet, violations } = report;
  return [
    `${hasFailed(report) ? 'FAILED' : 'held  '} ${number} ${name} (seed ${seed}, ${seconds.toFixed(0)} s, drained in ${drainSeconds.toFixed(1)} s)`,
    `       ${JSON.stringify(summary)}`,
    `       ${JSON.stringify(figures)}`,
    ...unmet.map((what) => `       UNMET: ${what}`),
    ...violations.slice(0, SHOWN).map(({ kind, subject, detail }) => `       ${kind}: ${subject}: ${detail}`),
    ...(violations.length > SHOWN ? [`       … ${violations.length} violations in all`] : []),
  ].join('\n');
}

/** The scenarios named by number or name; all when none is. */
function chosen(names: readonly string[]) {
  const unknown = names.filter(
    (name) => !SCENARIOS.some((scenario) => [scenario.name, String(scenario.number)].includes(name)),
  );
  if (unknown.length > 0) throw new Error(`there is no scenario ${unknown.join(', ')}`);
  return SCENARIOS.filter(
    ({ name, number }) => names.length === 0 || names.includes(name) || names.includes(String(number)),
  );
}

/**
 * `npm run test:faults -- [number or name …]`: runs the scenarios that are named, or all, one after the other because each
 * needs the machine. FAULTS_SCALE (1) sets how many events and rounds, FAULTS_SEED the choices; a report names its seed.
 * Resolves with the exit code: 1 when a scenario did not hold.
 */
export async function runFaults(names: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const scale = Number(env.FAULTS_SCALE ?? 1);
  const failed: string[] = [];
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
  }
  for (const scenario of chosen(names)) {
    const seed = Number(env.FAULTS_SEED ?? randomInt(2 ** 31));
    process.stdout.write(`       ${scenario.number} ${scenario.fault}, seed ${seed} …\n`);
    const report = await runScenario(scenario, { seed, scale, signal: interrupted.signal });
    process.stdout.write(`${render(report)}\n`);
    if (hasFailed(report)) failed.push(scenario.name);
  }
  if (failed.length > 0) process.stdout.write(`Did not hold: ${failed.join(', ')}\n`);
  return failed.length > 0 ? 1 : 0;
}
