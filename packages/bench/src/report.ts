import { markdownTable, median } from '@postrider/rig';

/** Named figures of one measurement, for example `{ p50: 1.2, p99: 4 }`. */
export type Values = Readonly<Record<string, number>>;

const namesIn = (rounds: readonly Values[]) => [...new Set(rounds.flatMap((values) => Object.keys(values)))];

/** The median of each figure over the rounds. */
export function medians(rounds: readonly Values[]): Values {
  const of = (name: string) => median(rounds.flatMap((values) => values[name] ?? []));
  return Object.fromEntries(namesIn(rounds).map((name) => [name, of(name)]));
}

/** Divides each figure by the floor's, round by round. */
function quotients(subject: Values, floor: Values): Values {
  const both = Object.keys(subject).filter((name) => floor[name] !== undefined && floor[name] !== 0);
  return Object.fromEntries(both.map((name) => [name, (subject[name] ?? 0) / (floor[name] ?? 1)]));
}

/**
 * The median of the ratios of neighbouring rounds, which share the machine's noise. The ratio of the medians would
 * compare rounds of different times.
 */
export function ratios(subject: readonly Values[], floor: readonly Values[]): Values {
  return medians(subject.map((values, round) => quotients(values, floor[round] ?? {})));
}

/**
 * Runs the measurements alternately (floor, subject, floor, subject …) for a number of rounds, and returns the results
 * of each in the order of the rounds.
 */
export async function interleave<Result>(
  rounds: number,
  measurements: readonly (() => Promise<Result>)[],
): Promise<Result[][]> {
  const results = measurements.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, measure] of measurements.entries()) results[index]?.push(await measure());
  }
  return results;
}

/** One line of a table. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  /** Medians over the rounds. */
  readonly values: Values;
  readonly rounds: readonly Values[];
  readonly floor: { readonly what: string; readonly values: Values } | null;
  /** Ratios of the values to the floor's: medians over the rounds. */
  readonly ratios: Values | null;
}

export interface GoalResult {
  readonly figure: string;
  readonly goal: string;
  readonly value: number;
  readonly reached: boolean;
}

/** What one measure found. */
export interface MeasureReport {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly goals: readonly GoalResult[];
  /** Reasons why its figures cannot be trusted; empty if they can. */
  readonly problems: readonly string[];
  /** The share of the processors that other programs used meanwhile: the larger it is, the less the figures say. */
  readonly disturbance: number;
  /** Remarks for readers of the figures. */
  readonly notes: readonly string[];
}

interface RowInput {
  readonly what: string;
  readonly unit: string;
  readonly rounds: readonly Values[];
  readonly floor?: { readonly what: string; readonly rounds: readonly Values[] };
}

/** Makes a line from the results of the rounds. */
export function row({ what, unit, rounds, floor }: RowInput): Row {
  return {
    what,
    unit,
    rounds,
    values: medians(rounds),
    floor: floor ? { what: floor.what, values: medians(floor.rounds) } : null,
    ratios: floor ? ratios(rounds, floor.rounds) : null,
  };
}

/** Checks a figure against its minimum or maximum, both included. A missing figure fails. */
export function goal(
  figure: string,
  value: number,
  bound: { readonly atLeast: number } | { readonly atMost: number },
): GoalResult {
  const reached = 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
  const text = 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
  return { figure, goal: text, value, reached };
}

/** Three significant digits; whole numbers from 100 on. */
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

/** The goals of all measures, as a Markdown table. */
export function goalTable(goals: readonly GoalResult[]): string {
  const cellsOf = ({ figure, goal, value, reached }: GoalResult) => [
    figure,
    goal,
    short(value),
    reached ? 'yes' : 'NO',
  ];
  return markdownTable(['Figure', 'Goal', 'Value', 'Reached'], goals.map(cellsOf));
}

/** The results of a measure, as a Markdown section. */
export function section({ title, rows, problems, notes, goals, disturbance }: MeasureReport): string {
  return [
    `## ${title}`,
    '',
    markdownTable(['What', 'Value', 'Floor', 'Ratio'], rows.map(cells)),
    ...(goals.length > 0 ? ['', goalTable(goals)] : []),
    '',
    ...notes.map((note) => `- ${note}`),
    `- Other programs used ${Math.round(disturbance * 100)} % of the processors meanwhile.`,
    ...problems.map((problem) => `VOID: ${problem}`),
    '',
  ].join('\n');
}
