import type { ViolationKind } from '../check/violation.ts';
import { hasFailed, type ScenarioReport } from './report.ts';

/** Violations by which something that was acknowledged did not come to pass. */
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

const row = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;

/** One line for each scenario, as a Markdown table. */
export function table(reports: readonly ScenarioReport[]): string {
  const ordered = [...reports].sort((a, b) => a.number - b.number);
  return [row(HEAD), row(HEAD.map(() => '---')), ...ordered.map((report) => row(cells(report)))].join('\n');
}
