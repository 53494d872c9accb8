import type { ChangedTemplatePart } from '@postrider/client';
import type { Examples, SessionCommand } from '../command.ts';
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
  readonly about: string;
  /** The field with the part's name, and its option. */
  readonly nameField: 'name' | 'locale';
  readonly examples: Examples;
}

const TYPES = {
  layouts: {
    ...{ about: 'layouts around the content of templates', nameField: 'name' },
    examples: {
      'postrider layouts create --environment env_01… --name main --file layout.html --activate':
        'All templates that use it have the new look from now on.',
    },
  },
  partials: {
    ...{ about: 'snippets that templates share', nameField: 'name' },
    examples: {
      'postrider partials create --environment env_01… --name footer --file footer.html --activate':
        'For {% render "footer" %}.',
    },
  },
  translations: {
    ...{ about: 'messages of templates in other languages', nameField: 'locale' },
    examples: {
      'postrider translations create --environment env_01… --locale fr --file fr.json --activate':
        'A JSON object of messages by their keys.',
    },
  },
} as const satisfies Readonly<Record<string, PartType>>;

type Type = keyof typeof TYPES;

/** The content of a file, in the field that has it. */
const contentOf = async (io: Io, type: Type, file: string): Promise<JsonObject> =>
  type === 'translations'
    ? { messages: await readJsonObject(io, file) }
    : { content: await readText(io, file) };

/** The calls of any type, which differ in the body alone. */
type Create = (environment: string, body: JsonObject, call: Session['call']) => Promise<ChangedTemplatePart>;

/** `create` of `postrider layouts`, `partials` and `translations`, which reads the content from a file. */
export function addParts(program: SessionCommand): void {
  for (const [type, { about, nameField, examples }] of Object.entries(TYPES) as [Type, PartType][]) {
    program
      .add(type, about)
      .add('create', `add a version of a ${type.slice(0, -1)}`)
      .needsEnvironment()
      .requiredOption(`--${nameField} <${nameField}>`, `the ${nameField}`)
      .requiredOption('--file <path>', 'its content; - is stdin')
      .option('--activate', 'activate it, with new versions of the templates that use it')
      .examples(examples)
      .runs(async (session, { environment, file, activate = false, ...names }: NewPart) => {
        const body = {
          [nameField]: names[nameField],
          ...(await contentOf(session.io, type, file)),
          activate,
        };
        const send = session.admin()[type].create as unknown as Create;
        session.show(await send(environment, body, session.call), changedPart);
      });
  }
}
