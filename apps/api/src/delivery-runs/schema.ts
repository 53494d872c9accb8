import type { SchemaObject } from 'ajv';

/** Body of POST /api/v1/delivery-runs/{deliveryRunId}/cancel, which may be left out: it has no fields. */
export const CANCEL_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {},
} as const satisfies SchemaObject;
