import type { ChangedTemplatePart } from '@postrider/client';
import { Command } from 'commander';
import { type Act, examples } from '../action.ts';
import { changedPart } from '../output/template.ts';
import type { Session } from '../session.ts';
import { readJsonObject, readText } from '../values.ts';

interface NewPart {
  readonly environment: string;
  readonly name: string;
  readonly file: string;
  readonly activate?: true;
}

/** The calls of one type. They only differ in the body of a new version. */
type Calls<Type extends 'layouts' | 'partials' | 'translations'> = ReturnType<Session['admin']>[Type];

interface PartType<Type extends 'layouts' | 'partials' | 'translations'> {
  readonly type: Type;
  readonly singular: string;
  readonly about: string;
  /** The option with the part's name. */
  readonly nameOption: 'name' | 'locale';
  create(session: Session, calls: Calls<Type>, options: NewPart): Promise<ChangedTemplatePart>;
  readonly example: readonly [string, string];
}

const LAYOUTS: PartType<'layouts'> = {
  type: 'layouts',
  singular: 'layout',
  about: 'layouts around the content of templates',
  nameOption: 'name',
  create: async ({ io, call }, calls, { environment, name, file, activate = false }) =>
    calls.create(environment, { name, content: await readText(io, file), activate }, call),
  example: [
    'postrider layouts create --environment env_01… --name main --file layout.html --activate',
    'All templates that use it have the new look from now on.',
  ],
};

const PARTIALS: PartType<'partials'> = {
  type: 'partials',
  singular: 'partial',
  about: 'snippets that templates share',
  nameOption: 'name',
  create: async ({ io, call }, calls, { environment, name, file, activate = false }) =>
    calls.create(environment, { name, content: await readText(io, file), activate }, call),
  example: [
    'postrider partials create --environment env_01… --name footer --file footer.html --activate',
    'For {% render "footer" %}.',
  ],
};

const TRANSLATIONS: PartType<'translations'> = {
  type: 'translations',
  singular: 'translation',
  about: 'messages of templates in other languages',
  nameOption: 'locale',
  async create({ io, call }, calls, { environment, name: locale, file, activate = false }) {
    const messages = (await readJsonObject(io, file)) as Record<string, string>;
    return calls.create(environment, { locale, messages, activate }, call);
  },
  example: [
    'postrider translations create --environment env_01… --locale fr --file fr.json --activate',
    'A JSON object of messages by their keys.',
  ],
};

function commandOf<Type extends 'layouts' | 'partials' | 'translations'>(
  act: Act,
  { type, singular, about, nameOption, create, example }: PartType<Type>,
): Command {
  const callsOf = (session: Session) => session.admin()[type];
  const createOne = new Command('create')
    .description(`add a version of a ${singular}`)
    .requiredOption('--environment <id>', 'the environment, env_…')
    .requiredOption(`--${nameOption} <${nameOption}>`, `the ${nameOption}`)
    .requiredOption('--file <path>', 'its content; - is stdin')
    .option('--activate', 'activate it, with new versions of the templates that use it')
    .action(
      act(async (session, options: NewPart & { readonly locale?: string }) => {
        const name = options.locale ?? options.name;
        session.show(await create(session, callsOf(session), { ...options, name }), changedPart);
      }),
    );
  return new Command(type).description(about).addCommand(examples(createOne, example));
}

/** `create` of `postrider layouts`, `partials` and `translations`, which reads the content from a file. */
export const partCommands = (act: Act): Command[] => [
  commandOf(act, LAYOUTS),
  commandOf(act, PARTIALS),
  commandOf(act, TRANSLATIONS),
];
