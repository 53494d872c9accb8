import type { JsonObject } from '@postrider/domain';

/** A section of the document, and how it is in a folder. */
export interface Section {
  /** Its name in the document. */
  readonly name: string;
  /** What the service calls one resource of it. */
  readonly kind: string;
  /** Its folder. */
  readonly folder: string;
  /** The fields that tell its resources apart, as the service joins them. */
  readonly key: readonly string[];
  /** Long texts, which have files of their own beside the YAML. */
  readonly texts?: readonly string[];
  /** Whether `env:` and `file:` are references everywhere below this field. */
  readonly references?: string;
  /** The operation that creates a resource: its body has the fields. */
  readonly operation: string;
}

/** A section whose other names follow from that of one resource. */
const sectionOf = (kind: string, section: Pick<Section, 'key' | 'texts' | 'references' | 'operation'>) => ({
  kind,
  name: `${kind}s`,
  folder: `${kind.replace('_', '-')}s`,
  ...section,
});

/** In the order in which people read them. `settings` has one resource, which is a file. */
export const SECTIONS: readonly Section[] = [
  { name: 'settings', kind: 'settings', folder: '', key: [], operation: 'updateEnvironment' },
  sectionOf('event_type', { key: ['event_key'], operation: 'putEventType' }),
  sectionOf('channel', { key: ['kind', 'name'], references: 'config', operation: 'createChannel' }),
  sectionOf('template', {
    key: ['event_key', 'channel_kind'],
    texts: ['html', 'text'],
    operation: 'createTemplate',
  }),
  sectionOf('layout', { key: ['name'], texts: ['content'], operation: 'createLayout' }),
  sectionOf('partial', { key: ['name'], texts: ['content'], operation: 'createPartial' }),
  sectionOf('translation', { key: ['locale'], operation: 'createTranslation' }),
  sectionOf('plan', { key: ['code'], operation: 'createPlan' }),
  sectionOf('role', { key: ['code'], operation: 'createRole' }),
];

export const SECTION_NAMES = SECTIONS.map(({ name }) => name);

/** The key by which the service tells the resources of a section apart. */
export const keyOf = ({ key }: Section, item: JsonObject): string =>
  key.map((field) => String(item[field] ?? '')).join(' ');

/** The document of an environment's configuration. */
export type ConfigurationDocument = { version: 1 } & { [section: string]: JsonObject | JsonObject[] | 1 };
