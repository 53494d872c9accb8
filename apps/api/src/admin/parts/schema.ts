import {
  type JsonObject,
  LOCALE_PATTERN,
  LOCALE_SCHEMA,
  MAX_MESSAGE_KEY_CHARACTERS,
  MAX_MESSAGES,
  MAX_PATTERN_CHARACTERS,
  PART_NAME_PATTERN,
  type PartType,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import type { PathName } from '../../openapi/parameters.ts';
import * as json from '../../openapi/schema.ts';
import { versionSchemas } from '../versions.ts';

/** The body of a request to add a version, by type. */
export type PartBody = { readonly activate?: boolean } & (
  | { readonly name: string; readonly content: string }
  | { readonly locale: string; readonly messages: Readonly<Record<string, string>> }
);

/** The description of one type's resources, which behave alike. */
export interface PartDescription {
  readonly type: PartType;
  /** Used in paths and schema names. */
  readonly plural: string;
  readonly schemaName: string;
  readonly parameter: PathName;
  readonly nameSchema: SchemaObject;
  readonly body: SchemaObject;
  readonly schemas: json.Schemas;
  readonly about: { readonly tag: string; readonly create: string };
  /** An example request to add a version, and the additional fields of its response. */
  readonly example: { readonly body: JsonObject; readonly version: JsonObject };
}

const ACTIVATE = json.option(
  false,
  'Whether it becomes the active version, with new versions of the templates that use it.',
);

const NAME = {
  type: 'string',
  pattern: PART_NAME_PATTERN,
  description: 'The name that templates use: at most 64 lower-case letters, digits, `-` and `_`.',
} as const satisfies SchemaObject;

const MESSAGES = {
  type: 'object',
  maxProperties: MAX_MESSAGES,
  propertyNames: { minLength: 1, maxLength: MAX_MESSAGE_KEY_CHARACTERS },
  additionalProperties: { type: 'string', maxLength: MAX_PATTERN_CHARACTERS },
  description: 'Messages by their keys, in ICU MessageFormat: plain text with values, plurals and selects.',
} as const satisfies SchemaObject;

const bodyOf = (fields: Readonly<Record<string, SchemaObject>>): SchemaObject => ({
  type: 'object',
  required: Object.keys(fields),
  additionalProperties: false,
  properties: { ...fields, activate: ACTIVATE },
});

/** The response schemas of one type. */
const schemasOf = (
  name: string,
  noun: PartType,
  prefix: 'lay' | 'prt' | 'trn',
  named: json.Schemas,
  contents: json.Schemas,
): json.Schemas =>
  versionSchemas({
    name,
    noun,
    prefix,
    named,
    about: {
      version: 'Numbered from 1 for each name or locale.',
      active: 'Whether new versions of templates use it.',
    },
    contents,
    changed: {
      templates: json.list(json.ref('TemplateSummary'), 'New versions of templates, which are active now.'),
    },
  });

const LAYOUT_CONTENT = {
  content: json.text('Liquid in HTML or text, compiled where it was written in MJML.'),
  mjml: json.nullable(json.text('The MJML source of `content`; null if it was not written in MJML.')),
};

const LAYOUT =
  '<html lang="{{ locale }}" dir="{{ dir }}"><body>{% block %}{% endblock %}{% render \'footer\' %}</body></html>';
const FOOTER = "<p>{{ 'footer.thanks' | t: name: recipient.name }}</p>";

/** Layouts and partials have names and are Liquid. */
function namedPart({
  type,
  schemaName,
  prefix,
  content,
  about,
  example,
}: Pick<PartDescription, 'schemaName' | 'about'> & {
  readonly type: 'layout' | 'partial';
  readonly prefix: 'lay' | 'prt';
  /** What its content can be. */
  readonly content: string;
  readonly example: { readonly name: string; readonly content: string };
}): PartDescription {
  const name = { name: json.text('The name that templates use.') };
  return {
    type,
    plural: `${type}s`,
    schemaName,
    about,
    parameter: `${type}Id`,
    nameSchema: NAME,
    body: bodyOf({ name: NAME, content: json.text(content) }),
    schemas: schemasOf(schemaName, type, prefix, name, LAYOUT_CONTENT),
    example: { body: { ...example, activate: true }, version: example },
  };
}

const LAYOUTS = namedPart({
  type: 'layout',
  schemaName: 'Layout',
  prefix: 'lay',
  content: 'Liquid in HTML, in MJML when it begins with `<mjml>`, or in text, with blocks.',
  about: {
    tag: 'Management: layouts around the content of templates, in immutable versions.',
    create:
      'A template that begins with `{% layout "main" %}` fills `{% block %}{% endblock %}` of the layout, and can ' +
      'fill its named blocks. A version never changes.',
  },
  example: { name: 'main', content: LAYOUT },
});

const PARTIALS = namedPart({
  type: 'partial',
  schemaName: 'Partial',
  prefix: 'prt',
  content: 'Liquid in HTML or text.',
  about: {
    tag: 'Management: pieces that templates share, in immutable versions.',
    create:
      'Templates, layouts and partials include it with `{% render "footer", key: value %}`. It sees the event ' +
      'and its arguments. A version never changes.',
  },
  example: { name: 'footer', content: FOOTER },
});

const FRENCH = { 'footer.thanks': 'Merci, {name} !' };

const TRANSLATIONS: PartDescription = {
  type: 'translation',
  plural: 'translations',
  schemaName: 'Translation',
  parameter: 'translationId',
  nameSchema: LOCALE_SCHEMA,
  body: bodyOf({ locale: LOCALE_SCHEMA, messages: MESSAGES }),
  schemas: schemasOf(
    'Translation',
    'translation',
    'trn',
    { locale: json.text('The language of its messages (BCP 47).') },
    {
      messages: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Messages by their keys, in ICU MessageFormat.',
      },
    },
  ),
  about: {
    tag: 'Management: messages of templates in other languages, in immutable versions.',
    create:
      'All messages of one language. Templates use them with `{{ "footer.thanks" | t: name: recipient.name }}`, in the ' +
      '`locale` of the recipient: `fr-CA` falls back to `fr`, and then to the default of the environment. A version ' +
      'never changes.',
  },
  example: {
    body: { locale: 'fr', messages: FRENCH, activate: true },
    version: { locale: 'fr', messages: FRENCH },
  },
};

export const PART_DESCRIPTIONS: readonly PartDescription[] = [LAYOUTS, PARTIALS, TRANSLATIONS];

/** What names can be, as text for readers. */
export const ABOUT_NAMES: Readonly<Record<PartType, string>> = {
  layout: `must match ${PART_NAME_PATTERN}`,
  partial: `must match ${PART_NAME_PATTERN}`,
  translation: `must match ${LOCALE_PATTERN}`,
};
