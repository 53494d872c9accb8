import type {
  ChangedTemplatePart,
  OperationId,
  Page,
  PagedList,
  PostriderAdmin,
  TemplatePart,
} from '@postrider/client';
import { toJson } from '../../ui/format.ts';

/** Types of template parts, by their path in the API. */
export type PartType = 'layouts' | 'partials' | 'translations';

interface PartWords {
  readonly title: string;
  /** The operations that create a version, and that activate one. */
  readonly create: OperationId;
  readonly activate: OperationId;
  readonly one: string;
  readonly about: string;
  readonly nameLabel: string;
  readonly nameHint: string;
  readonly language: 'html' | 'json';
  readonly first: { readonly name: string; readonly content: string };
}

/** The texts for each type, and the initial content of a new one. */
export const PART_TYPES: Readonly<Record<PartType, PartWords>> = {
  layouts: {
    title: 'Layouts',
    create: 'createLayout',
    activate: 'activateLayout',
    one: 'layout',
    about: 'The frame around templates. A template begins with {% layout "main" %}.',
    nameLabel: 'Name',
    nameHint: 'Lower-case letters, digits, - and _.',
    language: 'html',
    first: {
      name: 'main',
      content:
        '<html>\n<body>\n{% block %}{% endblock %}\n<p>{{ "footer.thanks" | t }}</p>\n</body>\n</html>\n',
    },
  },
  partials: {
    title: 'Partials',
    create: 'createPartial',
    activate: 'activatePartial',
    one: 'partial',
    about: 'Pieces that templates and layouts share: {% render "footer" %} inserts one.',
    nameLabel: 'Name',
    nameHint: 'Lower-case letters, digits, - and _.',
    language: 'html',
    first: { name: 'footer', content: '<p>{{ recipient.name }}, thank you.</p>\n' },
  },
  translations: {
    title: 'Translations',
    create: 'createTranslation',
    activate: 'activateTranslation',
    one: 'translation',
    about:
      'The messages of each language: {{ "footer.thanks" | t }} inserts one in the language of the recipient.',
    nameLabel: 'Language',
    nameHint: 'Such as fr or fr-CA.',
    language: 'json',
    first: { name: 'en', content: toJson({ 'footer.thanks': 'Thank you.' }) },
  },
};

/** Null for a path that is not a type. */
export const partTypeOf = (text: string | undefined): PartType | null =>
  text !== undefined && text in PART_TYPES ? (text as PartType) : null;

/** An entry of the list: a version without its content. */
export type PartSummary = Pick<TemplatePart, 'id' | 'version' | 'active' | 'created_at'> &
  ({ readonly name: string } | { readonly locale: string });

/** The name of a part; for a translation its language. */
export const nameOf = (part: PartSummary): string => ('locale' in part ? part.locale : part.name);

/** The source: MJML if it was written as MJML, JSON for a translation. */
export const contentOf = (part: TemplatePart): string =>
  'messages' in part ? toJson(part.messages) : (part.mjml ?? part.content);

interface PartCalls {
  page(query: { limit: number; cursor?: string }): Promise<Page<PartSummary>>;
  versions(name: string): Promise<readonly PartSummary[]>;
  get(id: string): Promise<TemplatePart>;
  /** Throws a SyntaxError if the content of a translation is not JSON. */
  create(name: string, content: string, activate: boolean): Promise<ChangedTemplatePart>;
  activate(id: string): Promise<ChangedTemplatePart>;
}

/** Versions shown beside the open one. */
const VERSIONS = 50;

/** The same operations for each type. */
export function partsOf(admin: PostriderAdmin, type: PartType, environmentId: string): PartCalls {
  const { get, activate, of } = admin[type];
  const list: PagedList<{ limit: number; name?: string; locale?: string }, PartSummary> = of(environmentId);
  const key = type === 'translations' ? 'locale' : 'name';
  return {
    page: (query) => list.page(query),
    versions: async (name) => (await list.page({ [key]: name, limit: VERSIONS })).data,
    get,
    create: async (name, content, activate) =>
      type === 'translations'
        ? admin.translations.create(environmentId, { locale: name, messages: JSON.parse(content), activate })
        : admin[type].create(environmentId, { name, content, activate }),
    activate,
  };
}
