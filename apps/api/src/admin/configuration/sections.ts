import { isDeepStrictEqual } from 'node:util';
import type { ChannelRegistry } from '@postrider/channels';
import type { StoredConfiguration } from '@postrider/db';
import {
  type ChannelRecord,
  canonicalLocale,
  type EnvironmentRecord,
  formatId,
  formatPartId,
  type JsonObject,
  type JsonValue,
  type PartType,
  partNameField,
  presentEnvironmentSettings,
  presentEventTypeFields,
  presentPart,
  presentPlanFields,
  presentTemplate,
  type Scope,
} from '@postrider/domain';
import { toChannelBody } from '../channels/schema.ts';
import { mergeBetween, withoutNulls } from './difference.ts';

/** The stored resources of an environment, with its settings. */
export interface Configured extends StoredConfiguration {
  readonly environment: EnvironmentRecord;
}

/** A stored resource in the form of the document. */
export interface StoredItem {
  /** How it is found in another environment: its names, without ids. */
  readonly key: string;
  readonly value: JsonObject;
  /** The public id; null if it is found by its key. */
  readonly id: string | null;
  readonly channel?: ChannelRecord;
}

/** A call of an operation of the management API for one resource of the environment. */
export interface Call {
  readonly operationId: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Resources of one type in the document. */
export interface Section {
  readonly name: string;
  readonly kind: string;
  /** The scopes of the operations that read and change it. */
  readonly read: Scope;
  readonly write: Scope;
  /** Whether it belongs to the installation, so that callers with bounds have no part of it. */
  readonly ofInstallation?: true;
  /** The fields of an item that form its key. */
  readonly keyFields: readonly string[];
  storedIn(configured: Configured): readonly StoredItem[];
  /** What creates or changes a resource; null if nothing differs from the item. Channels have their own. */
  put(item: JsonObject, current: StoredItem | null): Call | null;
  /** What removes a resource. Left out for those that are never removed. */
  readonly remove?: (current: StoredItem) => Call;
}

const isSame = (item: JsonObject, current: StoredItem | null) =>
  current !== null && isDeepStrictEqual(withoutNulls(item), withoutNulls(current.value));

/** The key of an item or of a stored resource: its names, as the API stores them. */
export const keyOf = ({ keyFields }: Pick<Section, 'keyFields'>, item: JsonObject): string =>
  keyFields
    .map((field) => String((field === 'locale' && canonicalLocale(item[field])) || item[field]))
    .join(' ');

/** Defines a section. The key of a stored item is derived from its value. */
const section = ({
  storedIn,
  ...facts
}: Omit<Section, 'storedIn'> & {
  storedIn(configured: Configured): readonly (Pick<StoredItem, 'value'> & Partial<StoredItem>)[];
}): Section => ({
  ...facts,
  storedIn: (configured) =>
    storedIn(configured).map((item) => ({ id: null, ...item, key: keyOf(facts, item.value) })),
});

const SETTINGS = section({
  name: 'settings',
  kind: 'settings',
  read: 'tenants:read',
  write: 'tenants:admin',
  keyFields: [],
  storedIn: ({ environment }) => [{ value: presentEnvironmentSettings(environment) }],
  put(item, current) {
    const body = mergeBetween(current?.value ?? {}, item);
    return Object.keys(body).length === 0 ? null : { operationId: 'updateEnvironment', body };
  },
});

const EVENT_TYPES = section({
  name: 'event_types',
  kind: 'event_type',
  read: 'event-types:read',
  write: 'event-types:write',
  keyFields: ['event_key'],
  storedIn: ({ eventTypes }) => eventTypes.map((eventType) => ({ value: presentEventTypeFields(eventType) })),
  put({ event_key: eventKey, ...body }, current) {
    if (isSame({ event_key: eventKey as JsonValue, ...body } as JsonObject, current)) return null;
    return { operationId: 'putEventType', params: { eventKey: String(eventKey) }, body: body as JsonObject };
  },
  remove: ({ key }) => ({ operationId: 'deleteEventType', params: { eventKey: key } }),
});

/** Layouts, partials or translations. */
function partSection(type: PartType, name: string, schemaName: string): Section {
  const keyFields = [partNameField(type)];
  return section({
    name,
    kind: type,
    read: 'templates:read',
    write: 'templates:write',
    keyFields,
    storedIn: ({ parts }) =>
      parts
        .filter((part) => part.type === type)
        .map((part) => {
          const { messages, content, mjml } = presentPart(part);
          const text: JsonObject =
            messages === undefined ? { content: (mjml ?? content) as JsonValue } : { messages };
          return { value: { [partNameField(type)]: part.name, ...text }, id: formatPartId(part) };
        }),
    put: (item, current) =>
      isSame({ ...item, ...(type === 'translation' && { locale: keyOf({ keyFields }, item) }) }, current)
        ? null
        : { operationId: `create${schemaName}`, body: { ...item, activate: true } },
    remove: ({ id }) => ({
      operationId: `deactivate${schemaName}`,
      params: { [`${type}Id`]: String(id) },
    }),
  });
}

const CONTENT = ['subject', 'text', 'body', 'cc', 'bcc', 'reply_to', 'headers', 'attachments'] as const;

export const TEMPLATES = section({
  name: 'templates',
  kind: 'template',
  read: 'templates:read',
  write: 'templates:write',
  keyFields: ['event_key', 'channel_kind'],
  storedIn: ({ templates }) =>
    templates.map((record) => {
      const { event_key, channel_kind, html, mjml, ...presented } = presentTemplate(record);
      const content = Object.fromEntries(CONTENT.map((name) => [name, presented[name] ?? null]));
      const value = { event_key, channel_kind, html: mjml ?? html, ...content } as JsonObject;
      return { value: withoutNulls(value), id: formatId('tpl', record.id) };
    }),
  put: (item, current) =>
    isSame(item, current) ? null : { operationId: 'createTemplate', body: { ...item, activate: true } },
  remove: ({ id }) => ({ operationId: 'deactivateTemplate', params: { templateId: String(id) } }),
});

/** A channel's call is built from its item and its secrets, see `channelStep`. */
const channelSection = (kinds: ChannelRegistry) =>
  section({
    name: 'channels',
    kind: 'channel',
    read: 'channels:read',
    write: 'channels:write',
    keyFields: ['kind', 'name'],
    storedIn: ({ channels }) =>
      channels
        .filter(({ kind, config }) => !kinds.find(kind)?.isListener?.(config))
        .map((channel) => ({ value: toChannelBody(channel), id: formatId('chn', channel.id), channel })),
    put: (item, current) =>
      current
        ? { operationId: 'updateChannel', params: { channelId: String(current.id) }, body: item }
        : { operationId: 'createChannel', body: item },
    remove: ({ id }) => ({ operationId: 'deleteChannel', params: { channelId: String(id) } }),
  });

/** The `put` of items with a fixed code: creates one, or changes its other fields by a merge patch. */
const byCode =
  (create: string, update: string, parameter: string): Section['put'] =>
  (item, current) => {
    if (!current) return { operationId: create, body: item };
    const body = mergeBetween(current.value, item);
    const params = { [parameter]: current.key };
    return Object.keys(body).length === 0 ? null : { operationId: update, params, body };
  };

const PLANS = section({
  name: 'plans',
  kind: 'plan',
  read: 'tenants:read',
  write: 'tenants:admin',
  ofInstallation: true,
  keyFields: ['code'],
  storedIn: ({ plans }) => plans.map((plan) => ({ value: presentPlanFields(plan) })),
  put: byCode('createPlan', 'updatePlan', 'code'),
});

const ROLES = section({
  name: 'roles',
  kind: 'role',
  read: 'operators:admin',
  write: 'operators:admin',
  ofInstallation: true,
  keyFields: ['code'],
  storedIn: ({ roles }) =>
    roles.map(({ code, name, scopes }) => ({ value: { code, name, scopes: [...scopes] } })),
  put: byCode('createRole', 'updateRole', 'roleCode'),
  remove: ({ key }) => ({ operationId: 'deleteRole', params: { roleCode: key } }),
});

/** The sections of a document, in the order in which an export has them. */
export const sectionsOf = (kinds: ChannelRegistry): readonly Section[] => [
  SETTINGS,
  EVENT_TYPES,
  partSection('partial', 'partials', 'Partial'),
  partSection('layout', 'layouts', 'Layout'),
  partSection('translation', 'translations', 'Translation'),
  TEMPLATES,
  channelSection(kinds),
  PLANS,
  ROLES,
];

/**
 * The order of the changes: what others refer to comes first. A change that is refused is tried again after the others, so the order
 * only saves attempts. Templates are removed before parts and the default language are changed, which would add versions of them: a
 * step names the version that it removes.
 */
export const ORDER: readonly (readonly ['put' | 'remove', string])[] = [
  ['remove', 'templates'],
  ['put', 'settings'],
  ['put', 'event_types'],
  ['put', 'partials'],
  ['put', 'layouts'],
  ['put', 'translations'],
  ['put', 'templates'],
  ['remove', 'layouts'],
  ['remove', 'partials'],
  ['remove', 'translations'],
  ['remove', 'event_types'],
  ['remove', 'channels'],
  ['put', 'channels'],
  ['put', 'plans'],
  ['put', 'roles'],
  ['remove', 'roles'],
];
