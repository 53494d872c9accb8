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

function valueAt(row: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], row);
}

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
  const head = columns.map((path) => style.bold(path.replaceAll(/[._]/g, ' ').toUpperCase()));
  return draw(
    rows.map((row) => columns.map((path) => shown(path, valueAt(row, path), style))),
    head,
  );
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([key, field]): [string, unknown][] =>
    isNested(field) ? fieldsOf(field, `${prefix}${key}.`) : [[`${prefix}${key}`, field]],
  );
}

/** Formats a resource for people: one line per field. */
export function record(resource: object, style: Style): string {
  return draw(
    fieldsOf(resource).map(([path, value]) => [style.bold(plain(path)), shown(path, value, style)]),
  );
}
