import type { GoalResult, MeasureReport, Row } from './report.ts';
import type { Values } from './rounds.ts';

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Three digits that count; whole numbers from a hundred on. */
function short(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  if (value === 0) return '0';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-GB');
  return Number(value.toPrecision(3)).toString();
}

function cell(values: Values | null | undefined, unit = ''): string {
  if (!values) return '';
  const texts = Object.values(values).map(short);
  return texts.length === 0 ? '' : `${texts.join(' / ')}${unit ? ` ${unit}` : ''}`;
}

function namesOf({ values }: Row): string {
  const names = Object.keys(values);
  return names.length > 1 ? ` (${names.join(' / ')})` : '';
}

function cells(row: Row): string[] {
  return [
    `${row.what}${namesOf(row)}`,
    cell(row.values, row.unit),
    row.floor ? `${cell(row.floor.values, row.unit)}, ${row.floor.what}` : '',
    cell(row.ratios),
  ];
}

function goalLine({ figure, goal, value, reached }: GoalResult): string {
  return line([figure, goal, short(value), reached ? 'yes' : 'NO']);
}

/** The goals of all measures, as a Markdown table. */
export function goalTable(goals: readonly GoalResult[]): string {
  return [
    line(['Figure', 'Goal', 'Value', 'Reached']),
    line(['---', '---', '---', '---']),
    ...goals.map(goalLine),
  ].join('\n');
}

/** What a measure found, as a Markdown section. */
export function section({ title, rows, faults, notes, goals, disturbance }: MeasureReport): string {
  const table = [
    line(['What', 'Value', 'Floor', 'Ratio']),
    line(['---', '---', '---', '---']),
    ...rows.map((row) => line(cells(row))),
  ];
  return [
    `## ${title}`,
    '',
    ...table,
    ...(goals.length > 0 ? ['', goalTable(goals)] : []),
    '',
    ...notes.map((note) => `- ${note}`),
    `- Other programs used ${Math.round(disturbance * 100)} % of the processors meanwhile.`,
    ...faults.map((fault) => `VOID: ${fault}`),
    '',
  ].join('\n');
}
