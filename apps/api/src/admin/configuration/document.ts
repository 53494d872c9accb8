import { type ChannelRegistry, perRegistry } from '@postrider/channels';
import type { Detail, JsonObject } from '@postrider/domain';
import {
  escapePointerSegment,
  LOCALE_PATTERN,
  PART_NAME_PATTERN,
  PLAN_CODE_PATTERN,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import { NAME_SCHEMA } from '../schemas.ts';
import { type Configured, keyOf, type Section, type StoredItem, sectionsOf } from './sections.ts';

/** A document: by section its items, or the settings. */
export type ConfigurationDocument = { readonly version: 1 } & { readonly [section: string]: unknown };

/** The most resources of a section. */
const MAX_ITEMS = 1_000;

const items = (
  operation: string,
  keyFields: Readonly<Record<string, SchemaObject>>,
  more = '',
): SchemaObject => ({
  type: 'array',
  maxItems: MAX_ITEMS,
  items: {
    type: 'object',
    required: Object.keys(keyFields),
    additionalProperties: true,
    properties: keyFields,
  },
  description: `Each item is a body of \`${operation}\`${more}.`,
});

const named = { name: { type: 'string', pattern: PART_NAME_PATTERN } };
const coded = { code: { type: 'string', pattern: PLAN_CODE_PATTERN } };

/** The schema of a document. The operations of the resources check the rest of each item. */
export const documentSchema = perRegistry(({ kinds }): SchemaObject => {
  const channelKind = { type: 'string', enum: [...kinds] };
  return {
    type: 'object',
    title: 'Configuration document',
    description:
      'The configuration of an environment. Resources are found by their names, not by ids. A section that is left out is not changed.',
    required: ['version'],
    additionalProperties: false,
    properties: {
      version: { type: 'integer', minimum: 1, maximum: 1, description: 'The version of the format.' },
      settings: {
        type: 'object',
        additionalProperties: true,
        description:
          'The settings, as in a body of `updateEnvironment`. One that is left out gets its default.',
      },
      event_types: items(
        'putEventType',
        { event_key: EVENT_BODY_SCHEMA.properties.event_key },
        ' with `event_key`',
      ),
      partials: items('createPartial', named, ' without `activate`'),
      layouts: items('createLayout', named, ' without `activate`'),
      translations: items(
        'createTranslation',
        { locale: { type: 'string', pattern: LOCALE_PATTERN } },
        ' without `activate`',
      ),
      templates: items(
        'createTemplate',
        { event_key: EVENT_BODY_SCHEMA.properties.event_key, channel_kind: channelKind },
        ' without `activate`: the active version',
      ),
      channels: items(
        'createChannel',
        { kind: channelKind, name: { ...NAME_SCHEMA, description: 'Unique among those of its kind.' } },
        ': channels that are not a consumer’s. A secret that is left out stays',
      ),
      plans: items('createPlan', coded, '. They belong to the installation'),
      roles: items('createRole', coded, '. They belong to the installation'),
    },
  };
});

/** An item of a document. */
export interface DocumentItem {
  readonly section: Section;
  readonly key: string;
  readonly value: JsonObject;
  /** Its JSON Pointer in the request. */
  readonly pointer: string;
}

/** The items of a document, and those of a section with one key. */
export function itemsOf(
  kinds: ChannelRegistry,
  document: ConfigurationDocument,
): { readonly items: readonly DocumentItem[]; readonly issues: readonly Detail[] } {
  const seen = new Set<string>();
  const issues: Detail[] = [];
  const found = sectionsOf(kinds).flatMap((section) => {
    const given = document[section.name];
    if (given === undefined) return [];
    const at = `/document/${section.name}`;
    const values = Array.isArray(given) ? (given as JsonObject[]) : [given as JsonObject];
    return values.map((value, index): DocumentItem => {
      const key = keyOf(section, value);
      const pointer = Array.isArray(given) ? `${at}/${index}` : at;
      const name = `${section.name} ${key}`;
      const field = escapePointerSegment(section.keyFields.at(-1) ?? '');
      if (seen.has(name))
        issues.push({
          path: `${pointer}/${field}`,
          code: 'duplicate',
          message: `is that of another item: ${key}`,
        });
      seen.add(name);
      return { section, key, value, pointer };
    });
  });
  return { items: found, issues };
}

/** Resources that cannot be told apart by their keys. */
export interface LeftOut {
  readonly kind: string;
  readonly key: string;
  readonly reason: string;
}

/** The stored resources of a section by their keys, in the order of the keys. */
export function storedByKey(
  section: Section,
  configured: Configured,
): { readonly byKey: ReadonlyMap<string, StoredItem>; readonly leftOut: readonly LeftOut[] } {
  const all = [...section.storedIn(configured)].sort((one, other) => (one.key < other.key ? -1 : 1));
  const counts = new Map<string, number>();
  for (const { key } of all) counts.set(key, (counts.get(key) ?? 0) + 1);
  const leftOut = [...counts]
    .filter(([, count]) => count > 1)
    .map(([key, count]) => ({
      kind: section.kind,
      key,
      reason: `${count} ${section.name} of one kind have this name: rename all but one`,
    }));
  return {
    byKey: new Map(all.filter(({ key }) => counts.get(key) === 1).map((item) => [item.key, item])),
    leftOut,
  };
}
