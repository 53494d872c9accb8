import type { ChannelRegistry } from '@postrider/channels';
import { MESSAGE_STATUSES, RUN_STATUSES } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import {
  id,
  list,
  nullable,
  oneOf,
  openObject,
  optionalTime,
  pageOf,
  record,
  ref,
  type Schema,
  text,
  time,
} from '../openapi/schema.ts';
import { explanationSchema } from './explain.ts';

export interface ReplayBody {
  readonly channels?: readonly string[];
}

/** Optional body of POST /api/v1/messages/{messageId}/replay (docs/specification.md, "Replay"). */
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

const messageStatus = oneOf(
  MESSAGE_STATUSES,
  'Derived from the delivery runs; for a replayed message from the newest run of each ' +
    'channel. `pending`: at least one has not ended. `delivered`: all succeeded. ' +
    '`partially_delivered`: some succeeded, the others ended otherwise. `cancelled`: all were ' +
    'cancelled. `failed`: none succeeded.',
);

const runSummary = {
  id: id('run', 'The delivery run.'),
  channel: ref('Channel'),
  status: oneOf(RUN_STATUSES, 'See DeliveryRun.'),
  scheduled_at: optionalTime('When it is to be sent; null when at once.'),
};

const deliveryRuns = list(ref('DeliveryRunSummary'), 'One for each channel, oldest first.');

const ACCEPTED_FIELDS = {
  message_id: id('msg', 'The message.'),
  status: messageStatus,
  delivery_runs: deliveryRuns,
};

const messageFields = {
  id: id('msg', 'Equals `message_id`.'),
  message_id: id('msg', 'The message.'),
  event_key: text('As it was sent.'),
  status: messageStatus,
  recipient: openObject('As it was sent.'),
  payload: openObject('As it was sent.'),
  schedule_at: optionalTime('As it was sent or last changed, in UTC; null for an event without.'),
  ordering_key: nullable(text('As it was sent; null for an event without.')),
  expires_at: optionalTime('As it was sent, in UTC; null for an event without.'),
  request_id: nullable(text('The X-Request-ID that the event came with; null when it had none.')),
  test: {
    type: 'boolean',
    description: 'Whether it is a test send of an operator. It is not counted and cannot be replayed.',
  },
  created_at: time('When the event was accepted.'),
  erased_at: optionalTime(
    'When the recipient’s data was erased: recipient and payload are empty since. Null otherwise.',
  ),
  delivery_runs: list(ref('MessageRun'), 'Of the newest 100 runs, oldest first.'),
  has_more_runs: {
    type: 'boolean',
    description: 'Whether the message has older runs than these; `…/deliveries` has all of them.',
  },
};

/** Response schemas (docs/specification.md, "Event request" and "Message"). */
export const messageSchemas = (registry: ChannelRegistry): Readonly<Record<string, Schema>> => ({
  Channel: record('The destination that a run delivers to.', {
    id: id('chn', 'The channel.'),
    kind: oneOf(registry.kinds, 'The kind of the channel.'),
    name: text('The channel’s name.'),
  }),
  DeliveryRunSummary: record('A delivery to one channel, in short.', runSummary),
  MessageRun: record('A delivery of a message, in short.', {
    ...runSummary,
    feedback: nullable(ref('RunFeedback')),
  }),
  Accepted: record('What an accepted event has created.', ACCEPTED_FIELDS),
  Replayed: record('What a replay has created.', {
    ...ACCEPTED_FIELDS,
    skipped_channels: list(
      record('A channel that takes the event key and gets no run.', {
        channel: ref('Channel'),
        reason: oneOf(
          ['filtered', 'template_not_found'],
          'Why: its filter, or that it has no active template.',
        ),
        condition: nullable(text('JSON Pointer to the first false condition of its filter, or null.')),
      }),
      'By the current filters and templates, which a replay uses.',
    ),
  }),
  Message: {
    ...record('An accepted event.', messageFields),
    properties: { ...messageFields, channels: explanationSchema(registry) },
  },
  PartialMessage: {
    type: 'object',
    description: 'The fields of a message that a list was asked for by `fields`.',
    properties: messageFields,
  },
  MessageList: pageOf(
    { anyOf: [ref('Message'), ref('PartialMessage')] },
    'A page of messages, newest first; partial ones where `fields` was given.',
  ),
});
