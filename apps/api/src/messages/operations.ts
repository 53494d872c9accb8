import type { ChannelRegistry } from '@postrider/channels';
import { readInEnvironments } from '@postrider/db';
import { camelFields } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { refuse } from '../http/reply.ts';
import { DELIVERIES_EXAMPLE } from '../openapi/examples.ts';
import { answers } from '../openapi/operation.ts';
import { PAGING, positionOf, queryOf } from '../paging/query.ts';
import { type PublicResource, publicOperation, READ } from '../pipeline/stage.ts';
import { CHANGED_MESSAGE_SCHEMAS, cancelWholeMessage, reschedule } from './change-message.ts';
import { EXPLAIN_PARAMETER, explanationSchema, messageReply } from './explain.ts';
import {
  DELIVERIES_DESCRIPTION,
  DELIVERIES_PAGING,
  deliveriesPage,
  MESSAGE_FILTERS,
  messagePage,
} from './list.ts';
import {
  countMessage,
  MESSAGE_EXAMPLE,
  MESSAGE_LIST_EXAMPLE,
  messageKeyOf,
  messageSchemas,
} from './message.ts';
import { replay, replayDelivery } from './replay.ts';

const list = publicOperation({
  method: 'get',
  path: '/api/v1/messages',
  operationId: 'listMessages',
  scope: 'messages:read',
  memory: MEMORY.page,
  summary: 'List messages',
  description:
    'The messages of the token’s environment, newest first. Filters are combined with “and”. A filter that ' +
    'matches little examines about 10,000 messages at a time: a page can be short or empty while ' +
    '`has_more` is true. A page also ends before its messages exceed 2 MiB in total; `fields` ' +
    'makes them smaller.',
  traits: READ,
  query: { ...PAGING, ...MESSAGE_FILTERS },
  success: answers('MessageList', MESSAGE_LIST_EXAMPLE),
  errors: ['validation_failed'],
  run:
    ({ db }) =>
    async (request) => {
      const { limit, cursor, fields, ...filters } = request.values;
      const environmentId = request.snapshot.environment.id;
      const page = { filter: camelFields(filters), fields, ...positionOf({ limit, cursor }) };
      return readInEnvironments(db, [environmentId], (tx) =>
        messagePage(tx, { environmentId, ...page, access: request }),
      );
    },
});

const get = publicOperation({
  method: 'get',
  path: '/api/v1/messages/{messageId}',
  operationId: 'getMessage',
  scope: 'messages:read',
  memory: countMessage,
  summary: 'Read a message',
  description:
    'The message as it was accepted, with its status and a summary of its newest 100 delivery runs.',
  traits: READ,
  parameters: [EXPLAIN_PARAMETER],
  success: answers('Message', MESSAGE_EXAMPLE),
  errors: ['validation_failed'],
  run:
    ({ db, kinds }) =>
    (request) => {
      const key = messageKeyOf(request);
      return readInEnvironments(db, [key.environmentId], (tx) =>
        messageReply(tx, key, queryOf(request.http.url), { kinds, access: request }),
      );
    },
});

const getDeliveries = publicOperation({
  method: 'get',
  path: '/api/v1/messages/{messageId}/deliveries',
  operationId: 'getMessageDeliveries',
  scope: 'messages:read',
  memory: MEMORY.page,
  summary: 'Read the deliveries of a message',
  description: DELIVERIES_DESCRIPTION,
  traits: READ,
  query: DELIVERIES_PAGING,
  success: answers('Deliveries', DELIVERIES_EXAMPLE),
  errors: ['validation_failed'],
  run:
    ({ db }) =>
    async (request) => {
      const key = messageKeyOf(request);
      const page = await readInEnvironments(db, [key.environmentId], (tx) =>
        deliveriesPage(tx, key, request.values),
      );
      return page ?? refuse('message_not_found');
    },
});

export const messagesResource = (kinds: ChannelRegistry): PublicResource => ({
  tag: { name: 'Messages', description: 'The status of your events.' },
  schemas: { ...messageSchemas(kinds, explanationSchema(kinds)), ...CHANGED_MESSAGE_SCHEMAS },
  operations: [list, get, getDeliveries, replay, replayDelivery, reschedule, cancelWholeMessage],
});
