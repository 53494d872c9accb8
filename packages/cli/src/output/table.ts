import { stripVTControlCharacters } from 'node:util';
import { isJsonObject, type JsonObject, valueAt } from '@postrider/domain';
import Table from 'cli-table3';
import { type Style, status } from './style.ts';
import { cell, plain } from './text.ts';

/** No borders, so that tables can be processed line by line. */
const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};
const PLAIN = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

const STATUS_FIELDS = new Set(['status', 'billing_status', 'state']);

/** Names of the shown fields; `channel.kind` is a nested field. */
export type Columns = readonly string[];

function draw(
  rows: readonly (readonly string[])[],
  { head, widths }: { readonly head?: readonly string[]; readonly widths?: readonly number[] } = {},
): string {
  const drawn = new Table({
    chars: NO_LINES,
    style: PLAIN,
    ...(head && { head: [...head] }),
    ...(widths && { colWidths: [...widths] }),
  });
  drawn.push(...rows.map((row) => [...row]));
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function shown(path: string, value: unknown, style: Style): string {
  return STATUS_FIELDS.has(path.split('.').at(-1) ?? '') ? status(cell(value), style) : cell(value);
}

/** Characters between two columns. */
const GAP = NO_LINES.middle.length;
/** What is never cut: the id of a resource, and a time up to its minutes. */
const UNCUT = /^(?:[a-z]{3}_[0-9a-z]{26}$|\d{4}-\d\d-\d\dT\d\d:\d\d)/;
/** What is left of other values. */
const LEAST = 8;

const widthOf = (text: string) => [...stripVTControlCharacters(text)].length;

/** The characters of a value that must stay, with the sign for what is cut. */
function leastOf(text: string): number {
  const bare = stripVTControlCharacters(text);
  const uncut = UNCUT.exec(bare)?.[0].length ?? LEAST;
  return Math.min(widthOf(text), uncut === bare.length ? uncut : uncut + 1);
}

/**
 * The widths of the columns in a terminal: the widest column is cut first, ids and times stay readable. Undefined if nothing has to
 * be cut, null if this does not suffice.
 */
function fittingWidths(
  lines: readonly (readonly string[])[],
  columns: number,
  width: number,
): number[] | undefined | null {
  const most = (column: number, measure: (text: string) => number) =>
    lines.reduce((widest, line) => Math.max(widest, measure(line[column] ?? '')), 0);
  const fitting = Array.from({ length: columns }, (_, column) => ({
    width: most(column, widthOf),
    least: most(column, leastOf),
  }));
  const total = fitting.reduce((sum, column) => sum + column.width + GAP, -GAP);
  if (total <= width) return undefined;
  for (let over = total - width; over > 0; over -= 1) {
    const [widest] = fitting
      .filter((column) => column.width > column.least)
      .sort((a, b) => b.width - a.width);
    if (!widest) return null;
    widest.width -= 1;
  }
  return fitting.map((column) => column.width);
}

/** Formats a list for people. In a terminal that is too narrow for a table, each item has a line per field, as in `record`. */
export function table(columns: Columns, rows: readonly object[], style: Style): string {
  if (rows.length === 0) return 'none';
  const values = rows.map((row) =>
    columns.map((path) => shown(path, valueAt(row as JsonObject, path.split('.')), style)),
  );
  const head = columns.map((path) => style.bold(plain(path.replaceAll(/[._]/g, ' ')).toUpperCase()));
  if (style.width === undefined) return draw(values, { head });
  const widths = fittingWidths([head, ...values], columns.length, style.width);
  if (widths !== null) return draw(values, { head, ...(widths && { widths }) });
  return values.map((line) => draw(line.map((value, column) => [head[column] ?? '', value]))).join('\n\n');
}

function fieldsOf(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([key, field]): [string, unknown][] =>
    isJsonObject(field) ? fieldsOf(field, `${prefix}${key}.`) : [[`${prefix}${key}`, field]],
  );
}

/** Formats a resource for people: one line per field. */
export function record(resource: object, style: Style): string {
  return draw(
    fieldsOf(resource).map(([path, value]) => [style.bold(plain(path)), shown(path, value, style)]),
  );
}

const isListOfObjects = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject);

/** Counts instead of lists of objects, which do not fit in a cell. */
const counted = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isListOfObjects(value) ? value.length : value]),
  );

/** The columns of a table with all fields of the rows, also nested ones. */
const columnsOf = (rows: readonly object[]): Columns => [
  ...new Set(rows.flatMap((row) => fieldsOf(counted(row)).map(([path]) => path))),
];

/**
 * Formats a report for people: its fields like {@link record}, then a table of each list in it, without its name if there
 * is nothing else.
 * @param columns of the tables; all fields by default
 */
export function report(resource: object, style: Style, columns?: Columns): string {
  const entries = Object.entries(resource);
  const lists = entries.filter(([, value]) => isListOfObjects(value)) as [string, readonly object[]][];
  const rest = entries.filter(([, value]) => !isListOfObjects(value));
  if (entries.length === 1 && Array.isArray(entries[0]?.[1])) {
    const rows = entries[0][1] as readonly object[];
    return table(columns ?? columnsOf(rows), rows.map(counted), style);
  }
  return [
    ...(rest.length === 0 ? [] : [record(Object.fromEntries(rest), style)]),
    ...lists.map(
      ([name, rows]) =>
        `${style.bold(plain(name))}\n${table(columns ?? columnsOf(rows), rows.map(counted), style)}`,
    ),
  ].join('\n\n');
}

/** Formats what has delivery runs: its other fields like {@link record}, then a table of the runs. */
export const recordWithRuns =
  (columns: Columns) =>
  ({ delivery_runs: runs, ...fields }: { readonly delivery_runs: readonly object[] }, style: Style): string =>
    [record(fields, style), table(columns, runs, style)].join('\n\n');
