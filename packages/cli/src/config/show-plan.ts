import { type JsonValue, valueAt, withValue } from '@postrider/domain';
import { stringify } from 'yaml';
import type { Style } from '../output/style.ts';
import { lines, plain } from '../output/text.ts';
import type { Folder } from './read-folder.ts';
import { referencesOf } from './references.ts';
import { pathOf } from './yaml-file.ts';

/** A change that the service plans or has made. */
export interface Change {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: string;
  readonly key: string;
  readonly fields: readonly FieldChange[];
}

interface FieldChange {
  readonly path: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
  readonly secret?: boolean;
}

interface Resource {
  readonly kind: string;
  readonly key: string;
}

/** The result of rendering a changed template. */
interface Check extends Resource {
  readonly event: string | null;
  readonly errors: readonly { readonly path?: string; readonly message: string }[];
  readonly warnings: readonly { readonly path?: string; readonly message: string }[];
}

/** The service's answer to a document. */
export interface Plan {
  readonly hash: string;
  readonly changes: readonly Change[];
  readonly unmanaged: readonly Resource[];
  readonly checks: readonly Check[];
  /** Templates that were not rendered, because there are too many. */
  readonly checks_left_out: number;
}

/** Lines of a long text around a change. */
const CONTEXT = 2;
/** More lines of one field are counted. */
const MAX_LINES = 60;

const nameOf = ({ kind, key }: Resource) => plain(`${kind.replaceAll('_', ' ')} ${key}`);

/** Instead of a stored value whose new one is a reference. */
const STORED = '(another value)';

/**
 * The plan with references instead of what they stand for, and without the values that these replace: both may be secrets, whatever
 * the service calls them.
 */
export function withReferences<Planned extends { readonly changes: readonly Change[] }>(
  planned: Planned,
  folder: Folder | null,
): Planned {
  const changes = planned.changes.map((change) => {
    const item = folder?.items.find(({ section, key }) => section.kind === change.kind && key === change.key);
    // What is in a file of the folder, such as a template, is no secret.
    const references = (item ? referencesOf(item) : []).filter(
      ({ path: [field] }) => field === item?.section.references,
    );
    const fields = change.fields.map((field) => {
      const at = pathOf(field.path);
      const hidden = references.filter(({ path }) => at.every((name, index) => path[index] === name));
      const shown = (side: 'from' | 'to') =>
        hidden.reduce<JsonValue>((value, { path, text }) => {
          const within = path.slice(at.length);
          const current = valueAt(value, within);
          if (current === undefined || current === null) return value;
          const isSame = side === 'from' && current === valueAt(field.to, within);
          return withValue(value, within, side === 'to' || isSame ? text : STORED);
        }, field[side]);
      return { ...field, from: shown('from'), to: shown('to') };
    });
    return { ...change, fields };
  });
  return { ...planned, changes };
}

function textOf(value: JsonValue): string[] {
  if (value === null) return [];
  const text = typeof value === 'string' ? value : stringify(value, { lineWidth: 0 });
  return lines(text.replace(/\n$/, '')).split('\n');
}

/** The lines that differ, and some around them. */
function difference(from: readonly string[], to: readonly string[], style: Style): string[] {
  const shortest = Math.min(from.length, to.length);
  let start = 0;
  while (start < shortest && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shortest - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const removed = from.slice(start, from.length - end).map((line) => style.red(`- ${line}`));
  const added = to.slice(start, to.length - end).map((line) => style.green(`+ ${line}`));
  return [
    ...to.slice(Math.max(0, start - CONTEXT), start).map((line) => `  ${line}`),
    ...cut(removed),
    ...cut(added),
    ...to.slice(to.length - end, to.length - end + CONTEXT).map((line) => `  ${line}`),
  ];
}

const cut = (shown: readonly string[]): string[] =>
  shown.length <= MAX_LINES
    ? [...shown]
    : [...shown.slice(0, MAX_LINES), `… ${shown.length - MAX_LINES} more lines`];

function fieldLines({ path, from, to, secret }: FieldChange, style: Style): string[] {
  const name = style.bold(plain(path));
  if (secret) return [`    ${name} another secret`];
  return [`    ${name}`, ...difference(textOf(from), textOf(to), style).map((line) => `      ${line}`)];
}

function changeLines(change: Change, style: Style): string[] {
  const heads = {
    create: style.green(`+ create ${nameOf(change)}`),
    update: style.yellow(`~ update ${nameOf(change)}`),
    delete: style.red(`- delete ${nameOf(change)}`),
  };
  const fields = change.action === 'update' ? change.fields : [];
  return [heads[change.action], ...fields.flatMap((field) => fieldLines(field, style))];
}

function checkLines({ key, event, warnings }: Check, style: Style): string[] {
  const name = `template ${plain(key)}`;
  if (event === null)
    return [style.yellow(`${name} was not rendered: no event, and no example in the schema.`)];
  return warnings.map(({ path = '', message }) => style.yellow(plain(`${name} ${path}: ${message}`)));
}

/** How many changes of each kind, such as "1 to create, 2 to update". */
export function countOf(changes: readonly Change[]): string {
  const counts = (['create', 'update', 'delete'] as const).flatMap((action) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} to ${action}`];
  });
  return counts.join(', ') || 'No changes';
}

/** A plan for people. */
export function showPlan(plan: Plan, style: Style): string {
  const { changes, unmanaged, checks, checks_left_out: leftOut } = plan;
  return [
    ...changes.flatMap((change) => changeLines(change, style)),
    ...unmanaged.map((resource) => style.dim(`? ${nameOf(resource)} is not in the folder (--prune)`)),
    ...checks.flatMap((check) => checkLines(check, style)),
    ...(leftOut > 0 ? [style.yellow(`${leftOut} more changed templates were not rendered.`)] : []),
    `${countOf(changes)}.`,
  ].join('\n');
}
