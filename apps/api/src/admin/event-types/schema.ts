import { type JsonObject, MAX_PAYLOAD_SCHEMA_LENGTH } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { id, nullable, openObject, pageOf, record, type Schema, text, time } from '../../openapi/schema.ts';

export interface EventTypeBody {
  readonly description?: string | null;
  readonly payload_schema?: JsonObject | null;
}

/** Body of PUT /admin/v1/environments/{id}/event-types/{event_key}: docs/specification.md, "Event types". */
export const EVENT_TYPE_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    description: {
      type: ['string', 'null'],
      maxLength: 2_000,
      description: 'What the event means, for people.',
    },
    payload_schema: {
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        `JSON Schema 2020-12 that every payload must fulfil, of at most ${MAX_PAYLOAD_SCHEMA_LENGTH} ` +
        `characters. ` +
        'Patterns must be such that they can be matched in linear time (no look-around, no ' +
        'back-references).',
    },
  },
} as const satisfies SchemaObject;

const COMMON = {
  environment_id: id('env', 'Its environment.'),
  event_key: text('The event.'),
  description: nullable(text('What it means, for people.')),
  created_at: time('When it was first described.'),
  updated_at: time('When its description or schema was last changed.'),
} as const;

/** See docs/specification.md, "Event types". */
export const EVENT_TYPE_SCHEMAS: Readonly<Record<string, Schema>> = {
  EventType: record('What is known of an event key. An event key needs no event type.', {
    ...COMMON,
    payload_schema: nullable(openObject('JSON Schema 2020-12 that every payload must fulfil.')),
  }),
  EventTypeSummary: record('An event type without its schema.', {
    ...COMMON,
    has_payload_schema: { type: 'boolean', description: 'Whether payloads are validated.' },
  }),
  EventTypeList: pageOf('EventTypeSummary', 'A page of event types, by their keys.'),
};
