import type { SchemaObject } from 'ajv';
import { RECIPIENT_SCHEMA } from '../../events/schema.ts';

export interface ErasureBody {
  readonly email: string;
}

/** Body of POST /admin/v1/environments/{environmentId}/erasures. */
export const ERASURE_BODY_SCHEMA = {
  type: 'object',
  required: ['email'],
  additionalProperties: false,
  properties: {
    email: {
      ...RECIPIENT_SCHEMA.properties.email,
      description: 'The recipient’s address; the case of its domain does not matter, that of the rest does.',
    },
  },
} as const satisfies SchemaObject;
