import type { SchemaObject } from 'ajv';

export interface ReplayBody {
  readonly channels?: readonly string[];
}

/** Body of POST /api/v1/messages/{messageId}/replay, which may be left out: docs/specification.md, "Replay". */
export const REPLAY_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    channels: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string' },
      description: 'Ids of the channels to deliver to; all that take the event when left out.',
    },
  },
} as const satisfies SchemaObject;
