import type { PresentedFilter } from '@postrider/db';
import {
  ATTEMPT_ERROR_CODES,
  CHANNEL_KINDS,
  DEFAULT_REPLAY_PACE,
  MAX_REPLAY_PACE,
  MESSAGE_STATUSES,
  RUN_STATUSES,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA, RECIPIENT_SCHEMA } from '../../events/schema.ts';
import { CHANNEL_ID_PATTERN } from '../../validation/patterns.ts';

export interface ReplaysBody {
  readonly filter: PresentedFilter;
  readonly channels?: readonly string[];
  readonly messages_per_second?: number;
  readonly dry_run?: boolean;
}

const oneOf = (values: readonly string[], description: string) => ({
  type: 'string',
  enum: [...values],
  description,
});
const time = (description: string) => ({ type: 'string', format: 'date-time', description });

/** What a search and a bulk replay ask of messages; each field is the query parameter of its name. */
export const MESSAGE_FILTER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  description:
    'What the messages must be; all of it holds at once, and the empty object is every message. ' +
    'run_status, channel_id, channel_kind and error_code hold for one and the same delivery run, which is ' +
    'the newest of its channel.',
  properties: {
    event_key: EVENT_BODY_SCHEMA.properties.event_key,
    status: oneOf(MESSAGE_STATUSES, 'The message’s status.'),
    recipient_email: {
      ...RECIPIENT_SCHEMA.properties.email,
      description: 'Exactly this address; the case of its domain does not matter.',
    },
    created_after: time('Accepted at this time or later.'),
    created_before: time('Accepted before this time.'),
    run_status: oneOf(RUN_STATUSES, 'The run’s status.'),
    channel_id: { type: 'string', pattern: CHANNEL_ID_PATTERN, description: 'The run’s channel.' },
    channel_kind: oneOf(CHANNEL_KINDS, 'The kind of the run’s channel.'),
    error_code: oneOf(
      ATTEMPT_ERROR_CODES,
      'Of the run’s `last_error`: its newest attempt that ended with an error, also when a later one ' +
        'succeeded.',
    ),
  },
} as const satisfies SchemaObject;

/** Body of POST /admin/v1/environments/{environmentId}/replays. */
export const REPLAYS_BODY_SCHEMA = {
  type: 'object',
  required: ['filter'],
  additionalProperties: false,
  properties: {
    filter: MESSAGE_FILTER_SCHEMA,
    channels: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string' },
      description: 'Ids of the channels to deliver to, of those that would be; all of them when left out.',
    },
    messages_per_second: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_REPLAY_PACE,
      default: DEFAULT_REPLAY_PACE,
      description: 'The pace; half a second’s worth may come at once.',
    },
    dry_run: { type: 'boolean', default: false, description: 'Count what matches, and do nothing.' },
  },
} as const satisfies SchemaObject;
