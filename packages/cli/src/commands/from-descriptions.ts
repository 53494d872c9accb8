import { NONE } from '@postrider/channels';
import type { CallOptions, PagedList } from '@postrider/client';
import { Option } from 'commander';
import type { SessionCommand } from '../command.ts';
import { type FieldOption, fieldOption, loadFields } from '../field-options.ts';
import { GENERATED_RESOURCES } from '../generated.ts';
import { listOf } from '../lists.ts';
import { report } from '../output/table.ts';
import type { CallDescription, FieldDescription, ResourceDescription } from '../resource-description.ts';
import type { Session } from '../session.ts';
import { jsonObject, list, rate, trueOrFalse, wholeNumber } from '../values.ts';
import { type CommandSettings, RESOURCES } from './resources.ts';

type Calls = Readonly<Record<string, (...args: unknown[]) => unknown>>;
type Options = Readonly<Record<string, unknown>>;

/** The groups of commands that have another name than their resource. */
const GROUPS: Readonly<Record<string, string>> = { erasures: 'recipients' };

/** The help of groups that say it in other words than the document. */
const DESCRIPTIONS = {
  attention: 'what needs attention, such as failing channels',
  consumers: 'the customers of a tenant, with channels of their own',
  layouts: 'layouts around the content of templates',
  partials: 'snippets that templates share',
  translations: 'messages of templates in other languages',
  'event-types': 'descriptions and payload schemas of events',
};

const kebabCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
/** `tenantId` is `tenant`: what is given is an id anyway. */
const parameterName = (name: string) => kebabCase(name.replace(/Id$/, ''));
/** A sentence of the document as one of a command's help. */
const helpText = (text: string) =>
  (text.charAt(0).toLowerCase() + text.slice(1)).replaceAll('`', '').replace(/\.$/, '');

/** How the value of an option is read. */
const READERS: Readonly<Record<FieldDescription['kind'], (text: string) => unknown>> = {
  text: String,
  integer: wholeNumber,
  number: rate,
  boolean: trueOrFalse,
  list,
  json: jsonObject,
};

/** The option of a field. Only numbers say how they are removed. */
function optionOf(field: FieldDescription): FieldOption {
  const { name, kind, isRequired, isNullable, about, choices } = field;
  const isNumber = kind === 'integer' || kind === 'number';
  const help = isNullable && isNumber ? `${about} none: null` : about;
  const values = isNullable && choices ? [...choices, NONE] : choices;
  const reading = values && kind === 'text' ? { choices: values } : { read: READERS[kind] };
  return fieldOption(`--${kebabCase(name)} <${kind}>`, helpText(help), {
    ...reading,
    isRequired,
    // A list without entries is one, so no word stands for null.
    isNullable: isNullable && kind !== 'list',
  });
}

/** The option of a filter; one that is true or false selects what is true. */
const filterOf = (field: FieldDescription): FieldOption =>
  field.kind === 'boolean'
    ? fieldOption(`--${kebabCase(field.name)}`, helpText(field.about), { field: field.name })
    : optionOf(field);

function callsOf(session: Session, { member }: ResourceDescription): Calls {
  return (session.admin() as unknown as Readonly<Record<string, Calls>>)[member] ?? {};
}

/**
 * Adds the parameters of a call's path: that of the resource as the argument, the others as options. Returns a function that
 * reads them from the action's arguments.
 */
function addPath(command: SessionCommand, { parameters, isOnOne }: CallDescription, hasOnlyOptions = false) {
  const target = isOnOne && !hasOnlyOptions ? parameters.at(-1) : undefined;
  if (target) command.argument(`<${parameterName(target.name)}>`, helpText(target.about));
  const options = (target ? parameters.slice(0, -1) : parameters).map(({ name, about }) =>
    new Option(`--${parameterName(name)} <id>`, helpText(about)).makeOptionMandatory(),
  );
  command.addOptions(options);
  return (given: readonly unknown[]) => [
    ...options.map((option) => (given.at(-1) as Options)[option.attributeName()]),
    ...(target ? [given[0]] : []),
  ];
}

type Add = (
  command: SessionCommand,
  resource: ResourceDescription,
  call: CallDescription,
  settings: CommandSettings,
) => void;

/** A command that reads a list. */
const addList: Add = (command, resource, call, { columns = call.columns ?? [] }) => {
  command.inPages();
  const pathIn = addPath(command, call);
  const filters = call.filters.map(filterOf);
  command.addFields(filters).runs(
    listOf({ columns, filters }, (session, ...given: unknown[]) => {
      const calls = callsOf(session, resource);
      const path = pathIn(given);
      if (call.name !== 'list') return calls[call.name]?.(...path) as PagedList<object, object>;
      return (path.length > 0 ? calls.of?.(...path) : calls) as PagedList<object, object>;
    }),
  );
};

/** A command that makes a call. */
const addCall: Add = (command, resource, call, settings) => {
  const { columns, done, note, hasOnlyOptions } = settings;
  const pathIn = addPath(command, call, hasOnlyOptions);
  const fields = settings.fields ?? call.body?.map(optionOf);
  const view = settings.view ?? ((shown, style) => report(shown, style, columns));
  command.addFields(fields ?? []).runs(async (session, ...given: unknown[]) => {
    const args = pathIn(given);
    const id = call.isOnOne ? args.at(-1) : undefined;
    if (fields) args.push(await loadFields(session.io, fields, given.at(-1) as Options));
    const made = callsOf(session, resource)[call.name]?.(...args, session.call satisfies CallOptions);
    const result = await (made as Promise<object | undefined>);
    if (result) session.show(result, view);
    else if (done) session.show({ id, [done]: true }, () => `${done} ${id ?? ''}`);
    else session.show({ id, done: true }, () => `${command.name()} ${id ?? ''}: done`);
    const line = note?.(result ?? {});
    if (line) session.note(line);
  });
};

/** Adds groups whose commands are all generated, where the help lists them. */
export const addGroups =
  (...names: readonly (keyof typeof DESCRIPTIONS)[]) =>
  (program: SessionCommand) => {
    for (const name of names) program.add(name, DESCRIPTIONS[name]);
  };

/**
 * Adds the commands that are made from the OpenAPI document to those written by hand: one for each call of a resource,
 * with an option for each field of its body or filter of its list.
 */
export function addGenerated(program: SessionCommand): void {
  for (const resource of GENERATED_RESOURCES) {
    const name = GROUPS[resource.name] ?? resource.name;
    const written = program.commands.find((command) => command.name() === name) as SessionCommand | undefined;
    const about = (DESCRIPTIONS as Readonly<Record<string, string>>)[name] ?? helpText(resource.about);
    const group = written ?? program.add(name, about);
    for (const call of resource.calls) {
      const settings = RESOURCES[name]?.[call.name] ?? {};
      const { description = helpText(call.summary), examples } = settings;
      const command = group.add(settings.name ?? kebabCase(call.name), description);
      (call.columns ? addList : addCall)(command, resource, call, settings);
      if (examples) command.examples(examples);
    }
  }
}
