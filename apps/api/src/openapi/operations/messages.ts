import { MESSAGE_STATUSES } from '@postrider/domain';
import { EVENT_BODY_SCHEMA, RECIPIENT_SCHEMA } from '../../events/schema.ts';
import { REPLAY_BODY_SCHEMA } from '../../messages/schema.ts';
import { READ, READ_PAGE } from '../../pipeline/traits.ts';
import {
  DELIVERIES_EXAMPLE,
  MESSAGE_EXAMPLE,
  MESSAGE_LIST_EXAMPLE,
  REPLAY_EXAMPLES,
  REPLAYED_EXAMPLE,
} from '../examples.ts';
import type { PublicOperationDoc } from '../operation-doc.ts';
import { filter, MESSAGE_FIELDS_FILTER, MESSAGE_ID, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';

export const LIST_MESSAGES: PublicOperationDoc = {
  method: 'get',
  path: '/api/v1/messages',
  operationId: 'listMessages',
  tag: 'Messages',
  summary: 'List messages',
  description:
    'The messages of the token’s environment, newest first. Filters are combined with “and”. A filter that ' +
    'matches little is searched some 10,000 messages at a time: a page can be short, or empty, while ' +
    '`has_more` is true. A page also ends where its messages would be larger than 2 MiB together; `fields` ' +
    'makes them smaller.',
  traits: READ_PAGE,
  parameters: [
    ...PAGING,
    MESSAGE_FIELDS_FILTER,
    filter('event_key', 'Of this event key.', EVENT_BODY_SCHEMA.properties.event_key),
    filter('status', 'In this status.', { type: 'string', enum: [...MESSAGE_STATUSES] }),
    filter('recipient_email', 'To exactly this address; the case of its domain does not matter.', {
      ...RECIPIENT_SCHEMA.properties.email,
      description: 'Case matters before the @.',
    }),
    filter('created_after', 'Accepted at this time or later.', { type: 'string', format: 'date-time' }),
    filter('created_before', 'Accepted before this time.', { type: 'string', format: 'date-time' }),
  ],
  success: { status: 200, schema: ref('MessageList'), example: MESSAGE_LIST_EXAMPLE },
  errors: ['validation_failed'],
};

export const GET_MESSAGE: PublicOperationDoc = {
  method: 'get',
  path: '/api/v1/messages/{messageId}',
  operationId: 'getMessage',
  tag: 'Messages',
  summary: 'Read a message',
  description: 'The message as it was accepted, with its status and a summary of its delivery runs.',
  traits: READ,
  parameters: [MESSAGE_ID],
  success: { status: 200, schema: ref('Message'), example: MESSAGE_EXAMPLE },
  errors: ['message_not_found'],
};

export const GET_DELIVERIES: PublicOperationDoc = {
  method: 'get',
  path: '/api/v1/messages/{messageId}/deliveries',
  operationId: 'getMessageDeliveries',
  tag: 'Messages',
  summary: 'Read the deliveries of a message',
  description:
    'Every delivery run of the message with every attempt: when, what was answered, what went wrong.',
  traits: READ,
  parameters: [MESSAGE_ID],
  success: { status: 200, schema: ref('Deliveries'), example: DELIVERIES_EXAMPLE },
  errors: ['message_not_found'],
};

export const REPLAY_MESSAGE: PublicOperationDoc = {
  method: 'post',
  path: '/api/v1/messages/{messageId}/replay',
  operationId: 'replayMessage',
  tag: 'Messages',
  summary: 'Replay a message',
  description:
    'Creates new delivery runs for the message, with the channels and templates that are active now. They ' +
    'are immediate, also when the event was scheduled. Counts 1 against the quota. The body may be left ' +
    'out.',
  traits: {
    idempotency: { operation: 'messages.replay', key: 'honoured' },
    body: 'optional',
    createsDeliveries: true,
  },
  parameters: [MESSAGE_ID],
  body: { schema: REPLAY_BODY_SCHEMA, examples: REPLAY_EXAMPLES },
  success: { status: 201, schema: ref('Accepted'), example: REPLAYED_EXAMPLE },
  errors: ['message_not_found', 'conflict'],
};
