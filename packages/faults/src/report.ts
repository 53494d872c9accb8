import { markdownTable } from '@postrider/rig';
import type { LedgerSummary } from './check/summary.ts';
import type { Violation, ViolationKind } from './check/violation.ts';
import type { Figures } from './scenarios/scenario.ts';

/** The result of a scenario. */
export interface ScenarioReport {
  readonly number: number;
  readonly name: string;
  readonly fault: string;
  /** The npm script that runs it. */
  readonly script: string;
  readonly seed: number;
  readonly scale: number;
  /** The time from the start of the load to the end of the checks. */
  readonly seconds: number;
  readonly drainSeconds: number;
  /** Null if the scenario failed before its ledgers could be read. */
  readonly summary: LedgerSummary | null;
  readonly figures: Figures;
  /** Names of figures: how often the fault struck, and those that the summary shows. */
  readonly rounds: string | null;
  readonly measured: readonly string[];
  /** The scenario's expectations that were not met. */
  readonly unmet: readonly string[];
  readonly violations: readonly Violation[];
}

export const hasFailed = ({ unmet, violations }: ScenarioReport): boolean =>
  unmet.length > 0 || violations.length > 0;

/** How many violations of a report are shown; one mistake usually causes many. */
const SHOWN = 10;

/** The command that repeats the scenario with the same choices. */
function reproduction({ script, seed, scale }: Pick<ScenarioReport, 'script' | 'seed' | 'scale'>): string {
  return `FAULTS_SEED=${seed}${scale > 0 ? ` FAULTS_SCALE=${scale}` : ''} npm run ${script}`;
}

/** Renders a report for people. */
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

/** Violations that mean that something acknowledged was lost. */
const LOST: readonly ViolationKind[] = [
  'acknowledged_event_lost',
  'acknowledged_run_lost',
  'acknowledged_replay_lost',
  'cancel_lost',
  'run_not_terminal',
  'given_up_early',
  'success_without_send',
];

const HEAD = [
  'Fault',
  'Rounds',
  'Events',
  'Deliveries',
  'Lost',
  'Sends without an event',
  'Duplicate sends',
  'Measured',
  'Held',
];

const inWords = (figure: string) => figure.replace(/_ms$/, '').replaceAll('_', ' ');

const withThousands = (value: number | string) =>
  typeof value === 'number' ? value.toLocaleString('en-GB', { maximumFractionDigits: 1 }) : value;

function figure({ figures }: ScenarioReport, name: string): string {
  const value = withThousands(figures[name] ?? 'none');
  return `${inWords(name)} ${value}${name.endsWith('_ms') ? ' ms' : ''}`;
}

function roundsOf({ figures, rounds }: ScenarioReport): string {
  return rounds === null ? '' : `${withThousands(figures[rounds] ?? 0)} ${inWords(rounds)}`;
}

function duplicatesOf({ summary, violations }: ScenarioReport): string {
  const duplicates = summary?.duplicates ?? 0;
  const unexplained = violations.filter(({ kind }) => kind === 'unexplained_duplicate');
  const runs = new Set(unexplained.map(({ subject }) => subject)).size;
  if (runs > 0) return `${withThousands(duplicates)}, of ${runs} runs not explained`;
  return duplicates === 0 ? '0' : `${withThousands(duplicates)}, all explained`;
}

function cells(report: ScenarioReport): string[] {
  const { summary, violations } = report;
  const count = (kinds: readonly ViolationKind[]) =>
    withThousands(violations.filter(({ kind }) => kinds.includes(kind)).length);
  const deliveries = Object.values(summary?.runs ?? {}).reduce((sum, runs) => sum + runs, 0);
  return [
    `${report.number} ${report.fault}`,
    roundsOf(report),
    withThousands(summary?.messages ?? 'unknown'),
    withThousands(deliveries),
    summary ? count(LOST) : 'unknown',
    summary ? count(['send_without_event']) : 'unknown',
    duplicatesOf(report),
    report.measured.map((name) => figure(report, name)).join('; '),
    hasFailed(report) ? 'no' : 'yes',
  ];
}

/** One line for each scenario, as a Markdown table. */
export function table(reports: readonly ScenarioReport[]): string {
  const ordered = [...reports].sort((a, b) => a.number - b.number);
  return markdownTable(HEAD, ordered.map(cells));
}
