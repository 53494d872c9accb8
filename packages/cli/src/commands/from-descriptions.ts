import type { CallOptions, PagedList } from '@postrider/client';
import { Command, Option } from 'commander';
import { type Act, examples } from '../action.ts';
import { type FieldOption, fieldOption, fieldsIn, withFields } from '../field-options.ts';
import { GENERATED_RESOURCES } from '../generated.ts';
import { type ListOptions, listOptions, type PageQuery, showList } from '../lists.ts';
import { report } from '../output/table.ts';
import type { CallDescription, FieldDescription, ResourceDescription } from '../resource-description.ts';
import type { Session } from '../session.ts';
import {
  jsonObject,
  jsonObjectOrNone,
  limit,
  list,
  NONE,
  rate,
  trueFalseOrNone,
  trueOrFalse,
  wholeNumber,
} from '../values.ts';
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

/** How the value of an option is read; null is `none`. */
function readerOf({ kind, isNullable }: FieldDescription): (text: string) => unknown {
  switch (kind) {
    case 'integer':
      return isNullable ? limit : wholeNumber;
    case 'number':
      return rate;
    case 'boolean':
      return isNullable ? trueFalseOrNone : trueOrFalse;
    case 'list':
      return list;
    case 'json':
      return isNullable ? jsonObjectOrNone : jsonObject;
    case 'text':
      return String;
  }
}

/** The option of a field. Only numbers say how they are removed. */
function optionOf(field: FieldDescription): FieldOption {
  const { name, kind, isRequired, isNullable, about, choices } = field;
  const isNumber = kind === 'integer' || kind === 'number';
  const help = isNullable && isNumber ? `${about} none: null` : about;
  const values = isNullable && choices ? [...choices, NONE] : choices;
  const reading = values && kind === 'text' ? { choices: values } : { read: readerOf(field) };
  const made = fieldOption(`--${kebabCase(name)} <${kind}>`, helpText(help), {
    ...reading,
    isNullable,
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

function withParents(command: Command, parents: Parameters) {
  const options = parents.map(({ name, about }) =>
    new Option(`--${parameterName(name)} <id>`, helpText(about)).makeOptionMandatory(),
  );
  for (const option of options) command.addOption(option);
  return (given: Options) => options.map((option) => given[option.attributeName()]);
}

function listCommand(
  act: Act,
  resource: ResourceDescription,
  call: CallDescription,
  { columns = call.columns }: CommandSettings,
): Command {
  const command = listOptions(new Command('list'));
  const parentsIn = withParents(command, call.parameters);
  const fields = call.filters.map(filterOf);
  withFields(command, fields);
  return command.action(
    act((session, options: ListOptions & Options) => {
      const calls = callsOf(session, resource);
      const source = call.parameters.length > 0 ? calls.of?.(...parentsIn(options)) : calls;
      const filters = fieldsIn(fields, options);
      return showList(session, source as PagedList<PageQuery, object>, { columns, filters, options });
    }),
  );
}

function callCommand(
  act: Act,
  resource: ResourceDescription,
  call: CallDescription,
  settings: CommandSettings,
): Command {
  const { name = kebabCase(call.name), columns, done, note, hasOnlyOptions = false } = settings;
  const command = new Command(name);
  const target = call.isOnOne && !hasOnlyOptions ? call.parameters.at(-1) : undefined;
  if (target) command.argument(`<${parameterName(target.name)}>`, helpText(target.about));
  const parentsIn = withParents(command, target ? call.parameters.slice(0, -1) : call.parameters);
  const fields = call.body?.map(optionOf);
  withFields(command, fields ?? []);
  const view = settings.view ?? ((shown, style) => report(shown, style, columns));
  const run = async (session: Session, id: string | undefined, options: Options) => {
    const args: unknown[] = [...parentsIn(options), ...(id === undefined ? [] : [id])];
    if (fields) args.push(fieldsIn(fields, options));
    const made = callsOf(session, resource)[call.name]?.(...args, session.call satisfies CallOptions);
    const result = await (made as Promise<object | undefined>);
    if (result) session.show(result, view);
    else if (done) session.show({ id, [done]: true }, () => `${done} ${id ?? ''}`);
    else session.show({ id, done: true }, () => `${name} ${id ?? ''}: done`);
    const line = note?.(result ?? {});
    if (line) session.note(line);
  };
  return command.action(
    target
      ? act((session, id: string, options: Options) => run(session, id, options))
      : act((session, options: Options) => run(session, undefined, options)),
  );
}

/**
 * Adds the commands that are made from the OpenAPI document to those written by hand: one for each call of a resource,
 * with an option for each field of its body or filter of its list. Returns the groups that have none by hand.
 */
export function generatedCommands(act: Act, written: readonly Command[]): Command[] {
  return GENERATED_RESOURCES.flatMap((resource) => {
    const name = GROUPS[resource.name] ?? resource.name;
    const group = written.find((command) => command.name() === name);
    const command = group ?? new Command(name).description(helpText(resource.about));
    for (const call of resource.calls) {
      const settings = RESOURCES[name]?.[call.name] ?? {};
      const create = call.name === 'list' ? listCommand : callCommand;
      const made = create(act, resource, call, settings).description(
        settings.description ?? helpText(call.summary),
      );
      command.addCommand(settings.examples ? examples(made, settings.examples) : made);
    }
    return group ? [] : [command];
  });
}
