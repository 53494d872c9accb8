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

/** In the order in which people read them. `settings` has one resource, which is a file. */
export const SECTIONS: readonly Section[] = [
  { name: 'settings', kind: 'settings', folder: '', key: [], operation: 'updateEnvironment' },
  {
    ...{ name: 'event_types', kind: 'event_type', folder: 'event-types', key: ['event_key'] },
    operation: 'putEventType',
  },
  {
    ...{ name: 'channels', kind: 'channel', folder: 'channels', key: ['kind', 'name'] },
    ...{ references: 'config', operation: 'createChannel' },
  },
  {
    ...{ name: 'templates', kind: 'template', folder: 'templates', key: ['event_key', 'channel_kind'] },
    ...{ texts: ['html', 'text'], operation: 'createTemplate' },
  },
  {
    ...{ name: 'layouts', kind: 'layout', folder: 'layouts', key: ['name'] },
    ...{ texts: ['content'], operation: 'createLayout' },
  },
  {
    ...{ name: 'partials', kind: 'partial', folder: 'partials', key: ['name'] },
    ...{ texts: ['content'], operation: 'createPartial' },
  },
  {
    ...{ name: 'translations', kind: 'translation', folder: 'translations', key: ['locale'] },
    operation: 'createTranslation',
  },
  { name: 'plans', kind: 'plan', folder: 'plans', key: ['code'], operation: 'createPlan' },
  { name: 'roles', kind: 'role', folder: 'roles', key: ['code'], operation: 'createRole' },
];

export const SECTION_NAMES = SECTIONS.map(({ name }) => name);

/** The key by which the service tells the resources of a section apart. */
export const keyOf = ({ key }: Section, item: JsonObject): string =>
  key.map((field) => String(item[field] ?? '')).join(' ');

/** The document of an environment's configuration. */
export type ConfigurationDocument = { version: 1 } & { [section: string]: JsonObject | JsonObject[] | 1 };
