import type { JsonObject } from '@postrider/domain';
import type { SchemaObject } from 'ajv';

export const MAX_BATCH_EVENTS = 100;

export interface BatchBody {
  readonly events: readonly { readonly idempotency_key: string; readonly event: JsonObject }[];
  readonly atomic?: boolean;
}

/** Body of POST /api/v1/events/batch (docs/specification.md, "Batches of events"). */
export const BATCH_SCHEMA = {
  type: 'object',
  required: ['events'],
  additionalProperties: false,
  properties: {
    events: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_BATCH_EVENTS,
      items: {
        type: 'object',
        required: ['idempotency_key', 'event'],
        additionalProperties: false,
        properties: {
          idempotency_key: {
            type: 'string',
            description: 'The key of this event, like the Idempotency-Key of a single request.',
          },
          event: {
            type: 'object',
            additionalProperties: true,
            description: 'The body of `POST /api/v1/events`. An invalid one has a 422 as its own result.',
          },
        },
      },
    },
    atomic: {
      type: 'boolean',
      default: false,
      description: 'Store all events, or none if one is refused.',
    },
  },
} as const satisfies SchemaObject;

const RESULT_SCHEMA = {
  type: 'object',
  required: ['status', 'body'],
  additionalProperties: false,
  properties: {
    status: { type: 'integer', description: 'The status as for a single request.' },
    body: {
      type: 'object',
      additionalProperties: true,
      description: 'The response as for a single request: an accepted event, or `error`.',
    },
    idempotent_replayed: {
      type: 'boolean',
      description: 'Whether the event was accepted before, and this is its stored response.',
    },
    retry_after: {
      type: 'integer',
      description:
        'Seconds to wait before sending the event again, if its response alone would have ' + 'Retry-After.',
    },
  },
} as const satisfies SchemaObject;

/** The 200 of a batch: one result for each event, in order. */
export const BATCH_RESULTS_SCHEMA = {
  type: 'object',
  required: ['results'],
  additionalProperties: false,
  properties: { results: { type: 'array', maxItems: MAX_BATCH_EVENTS, items: RESULT_SCHEMA } },
} as const satisfies SchemaObject;
