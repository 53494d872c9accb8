import { type JsonObject, MAX_PAYLOAD_SCHEMA_LENGTH } from '@postrider/domain';
import type { SchemaObject } from 'ajv';

export interface EventTypeBody {
  readonly description?: string | null;
  readonly payload_schema?: JsonObject | null;
}

/** Body of PUT /admin/v1/environments/{id}/event-types/{event_key}: contract section 8. */
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
