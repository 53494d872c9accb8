import type { ChangedTemplatePart } from '@postrider/client';
import type { SessionCommand } from '../command.ts';
import type { Io } from '../io.ts';
import { changedPart } from '../output/template.ts';
import type { Session } from '../session.ts';
import { type JsonObject, readJsonObject, readText } from '../values.ts';

interface NewPart {
  readonly environment: string;
  readonly name?: string;
  readonly locale?: string;
  readonly file: string;
  readonly activate?: boolean;
}

interface PartType {
  readonly type: 'layouts' | 'partials' | 'translations';
  readonly singular: string;
  readonly about: string;
  /** The field with the part's name, and its option. */
  readonly nameField: 'name' | 'locale';
  /** The content of a file, in the field that has it. */
  readonly read: (io: Io, file: string) => Promise<JsonObject>;
  readonly example: readonly [typed: string, does: string];
}

const readContent = async (io: Io, file: string) => ({ content: await readText(io, file) });

const TYPES: readonly PartType[] = [
  {
    ...{ type: 'layouts', singular: 'layout', about: 'layouts around the content of templates' },
    ...{ nameField: 'name', read: readContent },
    example: [
      'postrider layouts create --environment env_01… --name main --file layout.html --activate',
      'All templates that use it have the new look from now on.',
    ],
  },
  {
    ...{ type: 'partials', singular: 'partial', about: 'snippets that templates share' },
    ...{ nameField: 'name', read: readContent },
    example: [
      'postrider partials create --environment env_01… --name footer --file footer.html --activate',
      'For {% render "footer" %}.',
    ],
  },
  {
    ...{ type: 'translations', singular: 'translation', about: 'messages of templates in other languages' },
    nameField: 'locale',
    read: async (io, file) => ({ messages: await readJsonObject(io, file) }),
    example: [
      'postrider translations create --environment env_01… --locale fr --file fr.json --activate',
      'A JSON object of messages by their keys.',
    ],
  },
];

/** The calls of any type, which differ in the body alone. */
type Create = (environment: string, body: JsonObject, call: Session['call']) => Promise<ChangedTemplatePart>;

/** `create` of `postrider layouts`, `partials` and `translations`, which reads the content from a file. */
export function addParts(program: SessionCommand): void {
  for (const {
    type,
    singular,
    about,
    nameField,
    read,
    example: [typed, does],
  } of TYPES) {
    program
      .add(type, about)
      .add('create', `add a version of a ${singular}`)
      .needsEnvironment()
      .requiredOption(`--${nameField} <${nameField}>`, `the ${nameField}`)
      .requiredOption('--file <path>', 'its content; - is stdin')
      .option('--activate', 'activate it, with new versions of the templates that use it')
      .examples({ [typed]: does })
      .runs(async (session, { environment, file, activate = false, ...names }: NewPart) => {
        const body = { [nameField]: names[nameField], ...(await read(session.io, file)), activate };
        const send = session.admin()[type].create as unknown as Create;
        session.show(await send(environment, body, session.call), changedPart);
      });
  }
}
