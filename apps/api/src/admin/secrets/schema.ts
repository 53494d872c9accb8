import type { SchemaObject } from 'ajv';

export interface ReencryptBody {
  readonly limit?: number;
}

/** Bounds the time of one request to a second or two. */
const MAX_LIMIT = 5_000;

/** Body of POST /admin/v1/secrets/reencrypt, which may be left out. */
export const REENCRYPT_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: 1_000,
      description: 'Channels after which this request ends; ask again while `has_more` is true.',
    },
  },
} as const satisfies SchemaObject;
