import { deleteEventType, listEventTypes, putEventType, readEventType } from '@postrider/db';
import {
  ABOUT_SEARCH_KEYS,
  type Detail,
  EVENT_TYPE_FIELDS,
  EVENT_TYPE_SUMMARY_FIELDS,
  invalid,
  invalidValue,
  isEventKey,
  isStreamName,
  MAX_PAYLOAD_SCHEMA_LENGTH,
  MAX_SEARCH_KEYS,
  presentEventType,
  presentEventTypeSummary,
  refuse,
  reject,
  SEARCH_KEY_PATTERN,
  STREAM_SCHEMA,
} from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import * as json from '../openapi/schema.ts';
import { ENVIRONMENT } from './environments.ts';
import type { AdminResource } from './operation.ts';
import { standardOperationsOf } from './standard-operations.ts';

/** Body of PUT /admin/v1/environments/{id}/event-types/{event_key}. */
const EVENT_TYPE_BODY_SCHEMA = json.closedObject([], {
  description: {
    type: ['string', 'null'],
    maxLength: 2_000,
    description: 'A description of the event.',
  },
  payload_schema: {
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      `JSON Schema 2020-12 that every payload must match, of at most ${MAX_PAYLOAD_SCHEMA_LENGTH} characters. ` +
      'Patterns must be matchable in linear time (no look-around, no back-references).',
  },
  stream: {
    ...STREAM_SCHEMA,
    type: ['string', 'null'],
    default: null,
    description:
      'The stream of its email, such as `newsletter`, from which recipients can unsubscribe with one click. Null: ' +
      'the email is transactional. Requires PUBLIC_URL. Applies to events accepted from then on.',
  },
  search_keys: {
    type: 'array',
    maxItems: MAX_SEARCH_KEYS,
    uniqueItems: true,
    items: { type: 'string', pattern: SEARCH_KEY_PATTERN },
    default: [],
    description: `${ABOUT_SEARCH_KEYS} Applies to events accepted from then on, within seconds.`,
  },
});

const EVENT_TYPE_SCHEMAS: json.Schemas = {
  EventType: json.record(
    'The description of an event key. An event key does not need one.',
    EVENT_TYPE_FIELDS,
  ),
  EventTypeSummary: json.record('An event type without its schema.', EVENT_TYPE_SUMMARY_FIELDS),
  EventTypeList: json.pageOf('EventTypeSummary', 'A page of event types, by their keys.'),
};

const COMMON_EXAMPLE = {
  event_key: 'order.shipped',
  description: 'An order has left the warehouse.',
  search_keys: ['/order_id'],
};

const SCHEMA_EXAMPLE = {
  type: 'object',
  required: ['order_id'],
  properties: { order_id: { type: 'string', pattern: '^[A-Z]-[0-9]+$' } },
};

const EVENT_TYPE_EXAMPLE = { ...COMMON_EXAMPLE, payload_schema: SCHEMA_EXAMPLE };

const NO_EVENT_KEY = invalid([
  {
    path: '/event_key',
    code: 'invalid_format',
    message: 'in the path must be an event key, such as order.shipped',
  },
]);

function streamIssues(stream: string | null, publicUrl: string | null): Detail[] {
  if (stream === null) return [];
  const issue = (message: string): Detail[] => [invalidValue('/stream', message)];
  if (!isStreamName(stream)) return issue('must not be all or transactional, which are reserved');
  if (publicUrl !== null) return [];
  return issue(
    'needs PUBLIC_URL in the configuration of the API and the workers: unsubscribe links begin with it',
  );
}

const STANDARD = standardOperationsOf({
  name: 'EventType',
  all: '/admin/v1/environments/{environmentId}/event-types',
  one: '/admin/v1/environments/{environmentId}/event-types/{eventKey}',
  scopes: ['event-types:read', 'event-types:write'],
  forTokens: true,
  parent: ENVIRONMENT,
  present: presentEventType,
  example: EVENT_TYPE_EXAMPLE,
  inList: { present: presentEventTypeSummary, example: { ...COMMON_EXAMPLE, has_payload_schema: true } },
});

export const EVENT_TYPES: AdminResource = {
  tag: { name: 'Event types', description: 'Management: payload schemas of event keys.' },
  schemas: EVENT_TYPE_SCHEMAS,
  operations: [
    STANDARD.put({
      memory: MEMORY.resource,
      description:
        'Creates the event type or replaces it: fields that are left out are removed. Payloads are ' +
        'validated against the schema within 5 seconds. Issues of the schema have the code ' +
        '`invalid_schema`. External and circular references, patterns that cannot be matched in ' +
        'linear time, and unknown formats are refused. The schemas of an environment can have 2 MiB ' +
        'in total (409 `conflict`).',
      body: {
        schema: EVENT_TYPE_BODY_SCHEMA,
        examples: {
          schema: {
            summary: 'With a payload schema',
            value: { description: COMMON_EXAMPLE.description, payload_schema: SCHEMA_EXAMPLE },
          },
          description: { summary: 'Without', value: { description: COMMON_EXAMPLE.description } },
        },
      },
      errors: ['conflict'],
      refusals: { eventKey: NO_EVENT_KEY },
      run: async ({ ids, body }, deps) => {
        const { description = null, payload_schema: payloadSchema = null, stream = null } = body;
        const { search_keys: searchKeys = [] } = body;
        const issues = streamIssues(stream, deps.publicUrl);
        if (issues.length > 0) reject(invalid(issues));
        const given = { ...ids, description, payloadSchema, stream, searchKeys };
        return presentEventType(await putEventType(deps, given));
      },
    }),
    STANDARD.list({
      forConsumers: true,
      description: 'Ordered by key, without schemas.',
      orderedBy: isEventKey,
      read: listEventTypes,
    }),
    STANDARD.get({
      forConsumers: true,
      memory: MEMORY.resource,
      description: 'With its schema.',
      of: {
        parent: ENVIRONMENT,
        name: 'eventKey',
        read: (db, eventKey, environmentId) => readEventType(db, { environmentId, eventKey }),
      },
    }),
    STANDARD.remove({
      description: 'Events with its key are still accepted, but their payloads are no longer validated.',
      refusals: { environmentId: refuse('event_type_not_found') },
      run: ({ ids }, deps) => deleteEventType(deps, ids),
    }),
  ],
};
