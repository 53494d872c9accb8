import type { CallOptions, PagedList } from '@postrider/client';
import { Command } from 'commander';
import type { Act } from '../action.ts';
import { GENERATED_RESOURCES } from '../generated.ts';
import { type ListOptions, listOptions, type PageQuery, showList } from '../lists.ts';
import { type Columns, report } from '../output/table.ts';
import type { CallDescription, FieldDescription, ResourceDescription } from '../resource-description.ts';
import type { Session } from '../session.ts';
import { jsonObject, limit, list, nullable, rate, wholeNumber } from '../values.ts';

type Calls = Readonly<Record<string, (...args: unknown[]) => unknown>>;
type Options = Readonly<Record<string, unknown>>;

/** The columns of reports that would be too wide with all fields. */
const REPORT_COLUMNS: Readonly<Record<string, Columns>> = {
  'attention overview': [
    ...['environment_id', 'environment_name', 'tenant_name', 'failing_channels', 'paused_channels'],
    ...['paused_streams', 'backlog.due', 'backlog.oldest_due_at', 'quota.ratio', 'expiring'],
    'blocked_keys',
    'render_failures.last_hour',
  ],
};

/** `recipients erase` and the others have them. */
const UNDER_ANOTHER_NAME = ['erasures'];

const kebabCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
/** `tenantId` is `tenant`: what is given is an id anyway. */
const parameterName = (name: string) => kebabCase(name.replace(/Id$/, ''));
/** The name under which commander keeps an option. */
const optionKey = (flag: string) =>
  flag.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
/** A sentence of the document as one of a command's help. */
const helpText = (text: string) =>
  (text.charAt(0).toLowerCase() + text.slice(1)).replaceAll('`', '').replace(/\.$/, '');

function isTrue(text: string): boolean {
  return text !== 'false';
}

/** How the value of an option is read; null is `none`. */
function readerOf({ kind, isNullable }: FieldDescription): (text: string) => unknown {
  switch (kind) {
    case 'integer':
      return isNullable ? limit : wholeNumber;
    case 'number':
      return rate;
    case 'boolean':
      return isTrue;
    case 'list':
      return list;
    case 'json':
      return jsonObject;
    case 'text':
      return String;
  }
}

const flagOf = ({ name, kind }: FieldDescription) => `--${kebabCase(name)} <${kind}>`;

/** The body of the options that were given. */
function bodyOf(fields: readonly FieldDescription[], options: Options): Options {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = options[optionKey(kebabCase(field.name))];
      return value === undefined ? [] : [[field.name, field.isNullable ? nullable(value) : value]];
    }),
  );
}

function callsOf(session: Session, { member }: ResourceDescription): Calls {
  return (session.admin() as unknown as Readonly<Record<string, Calls>>)[member] ?? {};
}

function withParents(command: Command, call: CallDescription) {
  const parents = call.isOnOne ? call.parameters.slice(0, -1) : call.parameters;
  for (const { name, about } of parents) {
    command.requiredOption(`--${parameterName(name)} <id>`, helpText(about));
  }
  return (options: Options) => parents.map(({ name }) => options[optionKey(parameterName(name))]);
}

function listCommand(act: Act, resource: ResourceDescription, call: CallDescription): Command {
  const command = listOptions(new Command('list')).description(helpText(call.summary));
  const parentsIn = withParents(command, call);
  return command.action(
    act((session, options: ListOptions & Options) => {
      const calls = callsOf(session, resource);
      const source = call.parameters.length > 0 ? calls.of?.(...parentsIn(options)) : calls;
      const { columns } = call;
      return showList(session, source as PagedList<PageQuery, object>, { columns, filters: {}, options });
    }),
  );
}

function callCommand(act: Act, resource: ResourceDescription, call: CallDescription): Command {
  const command = new Command(kebabCase(call.name)).description(helpText(call.summary));
  const target = call.isOnOne ? call.parameters.at(-1) : undefined;
  if (target) command.argument(`<${parameterName(target.name)}>`, helpText(target.about));
  const parentsIn = withParents(command, call);
  for (const field of call.body ?? []) {
    const isNumber = field.kind === 'integer' || field.kind === 'number';
    const about = field.isNullable && isNumber ? `${field.about} none: null` : field.about;
    if (field.isRequired) command.requiredOption(flagOf(field), helpText(about), readerOf(field));
    else command.option(flagOf(field), helpText(about), readerOf(field));
  }
  const run = async (session: Session, id: string | undefined, options: Options) => {
    const args: unknown[] = [...parentsIn(options), ...(id === undefined ? [] : [id])];
    if (call.body) args.push(bodyOf(call.body, options));
    const made = callsOf(session, resource)[call.name]?.(...args, session.call satisfies CallOptions);
    const result = await (made as Promise<object | undefined>);
    const columns = REPORT_COLUMNS[`${resource.name} ${call.name}`];
    if (result) session.show(result, (shown, style) => report(shown, style, columns));
    else session.show({ id, done: true }, () => `${call.name} ${id ?? ''}: done`);
  };
  return command.action(
    target
      ? act((session, id: string, options: Options) => run(session, id, options))
      : act((session, options: Options) => run(session, undefined, options)),
  );
}

/**
 * The commands of the resources that have none of their own, made from the OpenAPI document: one for each call, with an
 * option for each field of its body.
 */
export function generatedCommands(act: Act, written: readonly Command[]): Command[] {
  const names = new Set([...written.map((command) => command.name()), ...UNDER_ANOTHER_NAME]);
  return GENERATED_RESOURCES.filter(({ name }) => !names.has(name)).map((resource) => {
    const command = new Command(resource.name).description(helpText(resource.about));
    for (const call of resource.calls) {
      command.addCommand(
        call.name === 'list' ? listCommand(act, resource, call) : callCommand(act, resource, call),
      );
    }
    return command;
  });
}
