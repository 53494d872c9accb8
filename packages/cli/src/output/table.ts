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

const STATUS_FIELDS = new Set(['status', 'billing_status']);

/** Names of the shown fields; `channel.kind` is a nested field. */
export type Columns = readonly string[];

function draw(rows: readonly (readonly string[])[], head?: readonly string[]): string {
  const drawn = new Table({ chars: NO_LINES, style: PLAIN, ...(head && { head: [...head] }) });
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

/** Formats a list for people. */
export function table(columns: Columns, rows: readonly object[], style: Style): string {
  if (rows.length === 0) return 'none';
  const head = columns.map((path) => style.bold(plain(path.replaceAll(/[._]/g, ' ')).toUpperCase()));
  return draw(
    rows.map((row) => columns.map((path) => shown(path, valueAt(row as JsonObject, path.split('.')), style))),
    head,
  );
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
