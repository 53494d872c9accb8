import type { Usage } from './processes.ts';
import type { AttackReport, Three } from './run-attack.ts';

const HEAD = [
  'Attack',
  'API memory (MB)',
  'Its children (MB)',
  'API descriptors',
  'Worker memory (MB)',
  'Longest stall (ms)',
  'Second tenant p99 (ms)',
  'Its latest delivery (ms)',
  'Back after (s)',
  'Held',
];

/** Before, during and after. */
const three = ({ before, during, after }: Three, read: (usage: Usage) => number) =>
  [before, during, after].map((usage) => (usage ? read(usage) : '?')).join(' / ');

const whole = (ms: number | null) => (ms === null ? '?' : ms.toFixed(0));

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function cells(report: AttackReport): string[] {
  const { name, api, worker, baselineP99Ms, duringP99Ms, afterP99Ms } = report;
  return [
    name,
    three(api, ({ memoryMb }) => memoryMb),
    three(api, ({ childrenMb }) => childrenMb),
    three(api, ({ descriptors }) => descriptors),
    three(worker, ({ memoryMb }) => memoryMb),
    whole(report.stallMs),
    [baselineP99Ms, duringP99Ms, afterP99Ms].map(whole).join(' / '),
    whole(report.deliveryLateMs),
    (report.recoveryMs / 1_000).toFixed(1),
    report.violations.length === 0 ? 'yes' : 'no',
  ];
}

/** One line for each attack, as a Markdown table; figures are before / during / after. */
export const table = (reports: readonly AttackReport[]): string =>
  [row(HEAD), row(HEAD.map(() => '---')), ...reports.map((report) => row(cells(report)))].join('\n');
