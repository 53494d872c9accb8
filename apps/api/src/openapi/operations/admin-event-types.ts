import { EVENT_TYPE_BODY_SCHEMA } from '../../admin/event-types/schema.ts';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc, Parameter } from '../operation-doc.ts';
import { ENVIRONMENT_ID, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';

const EVENT_KEY: Parameter = {
  name: 'eventKey',
  in: 'path',
  required: true,
  description: 'An event key.',
  schema: EVENT_BODY_SCHEMA.properties.event_key,
  example: 'order.shipped',
};

const COMMON_EXAMPLE = {
  environment_id: EXAMPLE_IDS.environment,
  event_key: 'order.shipped',
  description: 'An order has left the warehouse.',
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const SCHEMA_EXAMPLE = {
  type: 'object',
  required: ['order_id'],
  properties: { order_id: { type: 'string', pattern: '^[A-Z]-[0-9]+$' } },
};

const EVENT_TYPE_EXAMPLE = { ...COMMON_EXAMPLE, payload_schema: SCHEMA_EXAMPLE };

export const PUT_EVENT_TYPE: AdminOperationDoc = {
  method: 'put',
  path: '/admin/v1/environments/{environmentId}/event-types/{eventKey}',
  operationId: 'putEventType',
  tag: 'Event types',
  summary: 'Describe an event key',
  description:
    'Creates the event type or replaces it: what is left out is removed. Payloads are validated against ' +
    'the schema within 5 seconds. Faults of the schema have the code `invalid_schema`; refused are ' +
    'references that lead outside it or round in a circle, patterns that cannot be matched in linear time, ' +
    'and formats that are not known. All schemas of an environment may have 2 MiB together (409 ' +
    '`conflict`).',
  bodyUse: 'required',
  parameters: [ENVIRONMENT_ID, EVENT_KEY],
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
  success: { status: 200, schema: ref('EventType'), example: EVENT_TYPE_EXAMPLE },
  errors: ['environment_not_found', 'conflict'],
};

export const LIST_EVENT_TYPES: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/event-types',
  operationId: 'listEventTypes',
  tag: 'Event types',
  summary: 'List event types',
  description: 'By their keys, without their schemas.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, ...PAGING],
  success: {
    status: 200,
    schema: ref('EventTypeList'),
    example: {
      data: [{ ...COMMON_EXAMPLE, has_payload_schema: true }],
      has_more: false,
      next_cursor: null,
    },
  },
  errors: ['environment_not_found', 'validation_failed'],
};

export const GET_EVENT_TYPE: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/event-types/{eventKey}',
  operationId: 'getEventType',
  tag: 'Event types',
  summary: 'Read an event type',
  description: 'With its schema.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, EVENT_KEY],
  success: { status: 200, schema: ref('EventType'), example: EVENT_TYPE_EXAMPLE },
  errors: ['environment_not_found', 'event_type_not_found'],
};
