import type { CallOptions, PagedList } from '@postrider/client';
import { Option } from 'commander';
import type { SessionCommand } from '../command.ts';
import { type FieldOption, fieldOption, fieldsIn, NONE } from '../field-options.ts';
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
  const made = fieldOption(`--${kebabCase(name)} <${kind}>`, helpText(help), {
    ...reading,
    // A list without entries is one, so no word stands for null.
    isNullable: isNullable && kind !== 'list',
  });
  made.option.makeOptionMandatory(isRequired);
  return made;
}

/** The option of a filter; one that is true or false selects what is true. */
const filterOf = (field: FieldDescription): FieldOption =>
  field.kind === 'boolean'
    ? fieldOption(`--${kebabCase(field.name)}`, helpText(field.about), { field: field.name })
    : optionOf(field);

function callsOf(session: Session, { member }: ResourceDescription): Calls {
  return (session.admin() as unknown as Readonly<Record<string, Calls>>)[member] ?? {};
}

type Parameters = CallDescription['parameters'];

/** Adds an option for each parameter of a path; what is returned reads their values. */
function addParents(command: SessionCommand, parents: Parameters) {
  const options = parents.map(({ name, about }) =>
    new Option(`--${parameterName(name)} <id>`, helpText(about)).makeOptionMandatory(),
  );
  command.addOptions(options);
  return (given: Options) => options.map((option) => given[option.attributeName()]);
}

type Add = (
  command: SessionCommand,
  resource: ResourceDescription,
  call: CallDescription,
  settings: CommandSettings,
) => void;

/** A command that reads the list of a resource. */
const addList: Add = (command, resource, call, { columns = call.columns }) => {
  command.inPages();
  const parentsIn = addParents(command, call.parameters);
  const filters = call.filters.map(filterOf);
  command.addFields(filters).runs(
    listOf({ columns, filters }, (session, options: Options) => {
      const calls = callsOf(session, resource);
      const source = call.parameters.length > 0 ? calls.of?.(...parentsIn(options)) : calls;
      return source as PagedList<object, object>;
    }),
  );
};

/** A command that makes a call. */
const addCall: Add = (command, resource, call, settings) => {
  const { columns, done, note, hasOnlyOptions = false } = settings;
  const target = call.isOnOne && !hasOnlyOptions ? call.parameters.at(-1) : undefined;
  if (target) command.argument(`<${parameterName(target.name)}>`, helpText(target.about));
  const parentsIn = addParents(command, target ? call.parameters.slice(0, -1) : call.parameters);
  const fields = call.body?.map(optionOf);
  const view = settings.view ?? ((shown, style) => report(shown, style, columns));
  command.addFields(fields ?? []).runs(async (session, ...given: unknown[]) => {
    const options = given.at(-1) as Options;
    const id = target && given[0];
    const args = [...parentsIn(options), ...(target ? [id] : [])];
    if (fields) args.push(fieldsIn(fields, options));
    const made = callsOf(session, resource)[call.name]?.(...args, session.call satisfies CallOptions);
    const result = await (made as Promise<object | undefined>);
    if (result) session.show(result, view);
    else if (done) session.show({ id, [done]: true }, () => `${done} ${id ?? ''}`);
    else session.show({ id, done: true }, () => `${command.name()} ${id ?? ''}: done`);
    const line = note?.(result ?? {});
    if (line) session.note(line);
  });
};

/**
 * Adds the commands that are made from the OpenAPI document to those written by hand: one for each call of a resource,
 * with an option for each field of its body or filter of its list.
 */
export function addGenerated(program: SessionCommand): void {
  for (const resource of GENERATED_RESOURCES) {
    const name = GROUPS[resource.name] ?? resource.name;
    const written = program.commands.find((command) => command.name() === name) as SessionCommand | undefined;
    const group = written ?? program.add(name, helpText(resource.about));
    for (const call of resource.calls) {
      const settings = RESOURCES[name]?.[call.name] ?? {};
      const { description = helpText(call.summary), examples } = settings;
      const isList = call.name === 'list';
      const command = group.add(isList ? 'list' : (settings.name ?? kebabCase(call.name)), description);
      (isList ? addList : addCall)(command, resource, call, settings);
      if (examples) command.examples(examples);
    }
  }
}
