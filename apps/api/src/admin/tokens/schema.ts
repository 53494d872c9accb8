import type { SchemaObject } from 'ajv';
import { NAME_SCHEMA } from '../name-schema.ts';

export interface TokenBody {
  readonly name: string;
  readonly expires_at?: string | null;
}

/** Body of POST /admin/v1/environments/{environmentId}/tokens: contract section 8. */
export const TOKEN_BODY_SCHEMA = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { ...NAME_SCHEMA, description: 'For people; it need not be unique.' },
    expires_at: {
      type: ['string', 'null'],
      format: 'date-time',
      default: null,
      description:
        'From then on, by the database’s clock, it is refused; an RFC 3339 time in the future. Null means never.',
    },
  },
} as const satisfies SchemaObject;

/** 30 days: whoever needs longer does not rotate, but issues a second token. */
const MAX_OVERLAP_SECONDS = 2_592_000;

export interface RotateTokenBody {
  readonly overlap_seconds?: number;
}

/** Body of POST /admin/v1/tokens/{tokenId}/rotate, which may be left out. */
export const ROTATE_TOKEN_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    overlap_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_OVERLAP_SECONDS,
      default: 86_400,
      description: 'How long the old token works on beside the new one, at most 30 days; 0 ends it at once.',
    },
  },
} as const satisfies SchemaObject;
