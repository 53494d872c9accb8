import type { ChannelRegistry } from '@postrider/channels';
import { countMessageBytes, type MessageRecord } from '@postrider/db';
import {
  formatId,
  formatOptionalTime,
  formatTime,
  type JsonValue,
  MESSAGE_STATUSES,
  parseId,
  RUN_STATUSES,
} from '@postrider/domain';
import { presentRunOfMessage } from '../delivery-runs/present.ts';
import { JsonText, type TextRecord } from '../http/json-text.ts';
import type { CountStored } from '../http/memory.ts';
import { ACCEPTED_AT, ACCEPTED_EXAMPLE, PAYLOAD_EXAMPLE, RECIPIENT_EXAMPLE } from '../openapi/examples.ts';
import * as json from '../openapi/schema.ts';
import type { ApiRequest } from '../pipeline/stage.ts';

const messageStatus = json.titled(
  'Message status',
  json.oneOf(
    MESSAGE_STATUSES,
    'Derived from the delivery runs; for a replayed message from the newest run of each ' +
      'channel. `pending`: at least one has not ended. `delivered`: all succeeded. ' +
      '`partially_delivered`: some succeeded, the others ended otherwise. `cancelled`: all were ' +
      'cancelled. `failed`: none succeeded.',
  ),
);

const runSummary = {
  id: json.id('run', 'The delivery run.'),
  channel: json.ref('Channel'),
  status: json.oneOf(RUN_STATUSES, 'See DeliveryRun.'),
  scheduled_at: json.optionalTime('The scheduled time; null if it is immediate.'),
};

const deliveryRuns = json.list(json.ref('DeliveryRunSummary'), 'One for each channel, oldest first.');

const ACCEPTED_FIELDS = {
  message_id: json.id('msg', 'The message.'),
  status: messageStatus,
  delivery_runs: deliveryRuns,
};

const FEEDBACK_EXAMPLE = {
  type: 'bounced',
  permanent: true,
  at: '2026-11-21T09:30:07.000Z',
  reason: '5.1.1 550 No such user here',
};

/** A field of a message record: its schema, its value, and its value in the example. */
interface Field {
  readonly schema: json.Schema;
  readonly present: (message: MessageRecord) => JsonValue | JsonText;
  /** What the schema does not say. */
  readonly example?: JsonValue;
}

/** The fields of a message record, in their order (docs/specification.md, "Reads and actions"). */
const FIELDS = {
  id: {
    schema: json.id('msg', 'Equals `message_id`.'),
    present: ({ id }) => formatId('msg', id),
  },
  message_id: {
    schema: json.id('msg', 'The message.'),
    present: ({ id }) => formatId('msg', id),
  },
  event_key: {
    schema: json.text('As it was sent.'),
    present: ({ eventKey }) => eventKey,
    example: 'order.shipped',
  },
  status: { schema: messageStatus, present: ({ status }) => status, example: 'delivered' },
  recipient: {
    schema: json.openObject('As it was sent.'),
    present: ({ recipient }) => new JsonText(recipient),
    example: RECIPIENT_EXAMPLE,
  },
  payload: {
    schema: json.openObject('As it was sent.'),
    present: ({ payload }) => new JsonText(payload),
    example: PAYLOAD_EXAMPLE,
  },
  schedule_at: {
    schema: json.optionalTime('As it was sent or last changed, in UTC; null if the event had none.'),
    present: ({ scheduleAt }) => formatOptionalTime(scheduleAt),
  },
  expires_at: {
    schema: json.optionalTime('As it was sent, in UTC; null if the event had none.'),
    present: ({ expiresAt }) => formatOptionalTime(expiresAt),
  },
  ordering_key: {
    schema: json.nullable(json.text('As it was sent; null if the event had none.')),
    present: ({ orderingKey }) => orderingKey,
  },
  consumer: {
    schema: json.nullable(json.text('The consumer that the event named; null if it named none.')),
    present: ({ consumerId }) => consumerId,
  },
  request_id: {
    schema: json.nullable(json.text('The X-Request-ID of the event’s request; null if it had none.')),
    present: ({ requestId }) => requestId,
    example: 'checkout-7731',
  },
  trace_id: {
    schema: json.text('The W3C trace id of the event’s request, by which its trace is found.'),
    present: ({ traceId }) => traceId,
    example: '0af7651916cd43dd8448eb211c80319c',
  },
  test: {
    schema: json.flag('Whether it is a test send of an operator. It is not counted and cannot be replayed.'),
    present: ({ test }) => test,
  },
  created_at: {
    schema: json.time('When the event was accepted.'),
    present: ({ createdAt }) => formatTime(createdAt),
    example: ACCEPTED_AT,
  },
  erased_at: {
    schema: json.optionalTime(
      'When the recipient’s data was erased. Recipient and payload are then empty. Null otherwise.',
    ),
    present: ({ erasedAt }) => formatOptionalTime(erasedAt),
  },
  delivery_runs: {
    schema: json.list(json.ref('MessageRun'), 'Of the newest 100 runs, oldest first.'),
    present: ({ runs }) => runs.map(presentRunOfMessage),
    example: ACCEPTED_EXAMPLE.delivery_runs.map((run, index) => ({
      ...run,
      status: 'succeeded',
      feedback: index === 0 ? FEEDBACK_EXAMPLE : null,
    })),
  },
  has_more_runs: {
    schema: json.flag('Whether the message has older runs than these; `…/deliveries` has all of them.'),
    present: ({ hasMoreRuns }) => hasMoreRuns,
  },
} satisfies Record<string, Field>;

export const MESSAGE_FIELDS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

const ofEach = <Value>(pick: (field: Field) => Value): Record<string, Value> =>
  Object.fromEntries(MESSAGE_FIELDS.map((name) => [name, pick(FIELDS[name])]));

/** A message record, with all fields or with some. Its recipient and payload are as PostgreSQL wrote them. */
export function presentMessage(message: MessageRecord, fields?: ReadonlySet<string>): TextRecord {
  const shown = fields ? MESSAGE_FIELDS.filter((field) => fields.has(field)) : MESSAGE_FIELDS;
  return Object.fromEntries(shown.map((field) => [field, FIELDS[field].present(message)]));
}

/** What a request for the path's message holds. */
export const countMessage: CountStored = async (db, { environmentId, params }) => {
  const messageId = parseId('msg', params.messageId ?? '');
  return environmentId && messageId ? countMessageBytes(db, { environmentId, messageId }) : 0;
};

export const MESSAGE_EXAMPLE = ofEach(({ example }) => example);

const messageFields = ofEach(({ schema }) => schema);

/** Response schemas (docs/specification.md, "Event request" and "Reads and actions"). `channels` is what `explain` adds. */
export const messageSchemas = (registry: ChannelRegistry, channels: json.Schema): json.Schemas => ({
  Channel: json.record('The destination that a run delivers to.', {
    id: json.id('chn', 'The channel.'),
    kind: json.oneOf(registry.kinds, 'The kind of the channel.'),
    name: json.text('The channel’s name.'),
  }),
  DeliveryRunSummary: json.record('A delivery to one channel, in short.', runSummary),
  MessageRun: json.record('A delivery of a message, in short.', {
    ...runSummary,
    feedback: json.nullable(json.ref('RunFeedback')),
  }),
  Accepted: json.record('The message and runs of an accepted event.', ACCEPTED_FIELDS),
  Replayed: json.record('The runs of a replay.', {
    ...ACCEPTED_FIELDS,
    skipped_channels: json.list(
      json.record('A channel that takes the event key and gets no run.', {
        channel: json.ref('Channel'),
        reason: json.oneOf(
          ['filtered', 'template_not_found'],
          'The reason: its filter, or a missing active template.',
        ),
        condition: json.nullable(
          json.text('JSON Pointer to the first false condition of its filter, or null.'),
        ),
      }),
      'By the current filters and templates, which a replay uses.',
    ),
  }),
  Message: {
    ...json.record('An accepted event.', messageFields),
    properties: { ...messageFields, channels },
  },
  PartialMessage: {
    type: 'object',
    description: 'A message with only the fields in `fields`.',
    properties: messageFields,
  },
  MessageList: json.searchedPageOf(
    { anyOf: [json.ref('Message'), json.ref('PartialMessage')] },
    'A page of messages, newest first; partial ones if `fields` was given.',
  ),
});

/** The message that a request is about. Its id is noted for the log. */
export function messageKeyOf({
  ids: { messageId },
  context,
  snapshot,
}: Pick<ApiRequest, 'context' | 'snapshot'> & { readonly ids: { readonly messageId: string } }) {
  context.facts.message_id = formatId('msg', messageId);
  return { environmentId: snapshot.environment.id, messageId };
}
