import { hasFailed, type ScenarioReport } from './report.ts';

/** Violations of one report that are shown; one mistake tends to have many. */
const SHOWN = 10;

/** The command that makes the same choices again. */
function reproduction({ number, seed, scale }: Pick<ScenarioReport, 'number' | 'seed' | 'scale'>): string {
  return `FAULTS_SEED=${seed}${scale > 0 ? ` FAULTS_SCALE=${scale}` : ''} npm run test:faults -- ${number}`;
}

/** Renders what a scenario showed, for people. */
export function render(report: ScenarioReport): string {
  const { number, name, seed, seconds, drainSeconds, summary, figures, unmet, violations } = report;
  const times = `${seconds.toFixed(0)} s, drained in ${drainSeconds.toFixed(1)} s`;
  return [
    `${hasFailed(report) ? 'FAILED' : 'held  '} ${number} ${name} (seed ${seed}, ${times})`,
    `       ${JSON.stringify(summary)}`,
    `       ${JSON.stringify(figures)}`,
    ...unmet.map((what) => `       UNMET: ${what}`),
    ...violations.slice(0, SHOWN).map(({ kind, subject, detail }) => `       ${kind}: ${subject}: ${detail}`),
    ...(violations.length > SHOWN ? [`       … ${violations.length} violations in all`] : []),
    ...(hasFailed(report) ? [`       The same choices again: ${reproduction(report)}`] : []),
  ].join('\n');
}
