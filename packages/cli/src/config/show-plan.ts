import type {
  ChangedConfigurationField,
  ConfigurationChange,
  ConfigurationPlan,
  TemplateCheck,
  UnmanagedResource,
} from '@postrider/client';
import { type JsonValue, valueAt, withValue } from '@postrider/domain';
import { stringify } from 'yaml';
import type { Style } from '../output/style.ts';
import { lines, plain } from '../output/text.ts';
import type { Folder } from './read-folder.ts';
import { referencesOf } from './references.ts';
import { pathOf } from './yaml-file.ts';

/** Lines of a long text around a change. */
const CONTEXT = 2;
/** More lines of one field are counted. */
const MAX_LINES = 60;

const nameOf = ({ kind, key }: UnmanagedResource) => plain(`${kind.replaceAll('_', ' ')} ${key}`);

/** Instead of a stored value whose new one is a reference. */
const STORED = '(another value)';

/**
 * The plan with references instead of what they stand for, and without the values that these replace: both may be secrets, whatever
 * the service calls them.
 */
export function withReferences<Planned extends { readonly changes: readonly ConfigurationChange[] }>(
  planned: Planned,
  folder: Folder | null,
): Planned {
  const changes = planned.changes.map((change) => {
    const item = folder?.items.find(({ section, key }) => section.kind === change.kind && key === change.key);
    // What is in a file of the folder, such as a template, is not secret.
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
          const isSame = side === 'from' && current === valueAt(field.to as JsonValue, within);
          return withValue(value, within, side === 'to' || isSame ? text : STORED);
        }, field[side] as JsonValue);
      return { ...field, from: shown('from'), to: shown('to') };
    });
    return { ...change, fields };
  });
  return { ...planned, changes };
}

function textOf(value: unknown): string[] {
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

function fieldLines({ path, from, to, secret }: ChangedConfigurationField, style: Style): string[] {
  const name = style.bold(plain(path));
  if (secret) return [`    ${name} another secret`];
  return [`    ${name}`, ...difference(textOf(from), textOf(to), style).map((line) => `      ${line}`)];
}

function changeLines(change: ConfigurationChange, style: Style): string[] {
  const heads = {
    create: style.green(`+ create ${nameOf(change)}`),
    update: style.yellow(`~ update ${nameOf(change)}`),
    delete: style.red(`- delete ${nameOf(change)}`),
  };
  const fields = change.action === 'update' ? change.fields : [];
  return [heads[change.action], ...fields.flatMap((field) => fieldLines(field, style))];
}

function checkLines({ key, event, warnings }: TemplateCheck, style: Style): string[] {
  const name = `template ${plain(key)}`;
  if (event === null)
    return [style.yellow(`${name} was not rendered: no event, and no example in the schema.`)];
  return warnings.map(({ path = '', message }) => style.yellow(plain(`${name} ${path}: ${message}`)));
}

/** How many changes of each kind, such as "1 to create, 2 to update". */
export function countOf(changes: readonly ConfigurationChange[]): string {
  const counts = (['create', 'update', 'delete'] as const).flatMap((action) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} to ${action}`];
  });
  return counts.join(', ') || 'No changes';
}

/** A plan for people. */
export function showPlan(plan: ConfigurationPlan, style: Style): string {
  const { changes, unmanaged, checks, checks_left_out: leftOut } = plan;
  return [
    ...changes.flatMap((change) => changeLines(change, style)),
    ...unmanaged.map((resource) => style.dim(`? ${nameOf(resource)} is not in the folder (--prune)`)),
    ...checks.flatMap((check) => checkLines(check, style)),
    ...(leftOut > 0 ? [style.yellow(`${leftOut} more changed templates were not rendered.`)] : []),
    `${countOf(changes)}.`,
  ].join('\n');
}
