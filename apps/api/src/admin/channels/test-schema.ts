import { type JsonObject, TEST_EVENT_KEY, TEST_PAYLOAD } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';

const { event_key, recipient, payload } = EVENT_BODY_SCHEMA.properties;

/** Body of POST /admin/v1/channels/{id}/test, which may be left out: an event, less what has a default. */
export const TEST_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    event_key: {
      ...event_key,
      default: TEST_EVENT_KEY,
      description: 'Whose active template is used; the channel need not take it.',
    },
    recipient: { ...recipient, default: {}, description: 'Who it is for; an email channel needs `email`.' },
    payload: { ...payload, default: TEST_PAYLOAD },
  },
} as const satisfies SchemaObject;

export interface TestBody {
  readonly event_key?: string;
  readonly recipient?: JsonObject;
  readonly payload?: JsonObject;
}
