import type { ChannelRegistry } from '@postrider/channels';
import { readInEnvironments } from '@postrider/db';
import { camelFields } from '@postrider/domain';
import { type PublicResource, publicOperation, READ } from '../pipeline/operation.ts';
import { CHANGED_MESSAGE_SCHEMAS, cancelWholeMessage, reschedule } from './change-message.ts';
import { explanationSchema, MESSAGE_READ, messageReply } from './explain.ts';
import {
  DELIVERIES_READ,
  deliveriesPage,
  MESSAGE_FILTERS,
  MESSAGE_LIST,
  MESSAGE_PAGING,
  messagePage,
} from './list.ts';
import { messageKeyOf, messageSchemas } from './message.ts';
import { replay, replayDelivery } from './replay.ts';

const list = publicOperation({
  ...MESSAGE_LIST,
  method: 'get',
  path: '/api/v1/messages',
  operationId: 'listMessages',
  summary: 'List messages',
  description:
    'The messages of the token’s environment, newest first. Filters are combined with “and”. A filter that ' +
    'matches little examines about 10,000 messages at a time: a page can be short or empty while ' +
    '`has_more` is true. A page also ends before its messages exceed 2 MiB in total; `fields` ' +
    'makes them smaller.',
  traits: READ,
  query: { ...MESSAGE_PAGING, ...MESSAGE_FILTERS },
  run:
    ({ db }) =>
    async (request) => {
      const { limit, cursor, fields, ...filters } = request.values;
      const environmentId = request.snapshot.environment.id;
      const query = { environmentId, limit, cursor, fields, filter: camelFields(filters) };
      return readInEnvironments(db, [environmentId], (tx) => messagePage(tx, query, request));
    },
});

const get = publicOperation({
  ...MESSAGE_READ,
  method: 'get',
  path: '/api/v1/messages/{messageId}',
  operationId: 'getMessage',
  summary: 'Read a message',
  description:
    'The message as it was accepted, with its status and a summary of its newest 100 delivery runs.',
  traits: READ,
  run:
    ({ db, kinds }) =>
    (request) => {
      const key = messageKeyOf(request);
      return readInEnvironments(db, [key.environmentId], (tx) =>
        messageReply(tx, key, request.values, { kinds, access: request }),
      );
    },
});

const getDeliveries = publicOperation({
  ...DELIVERIES_READ,
  method: 'get',
  path: '/api/v1/messages/{messageId}/deliveries',
  operationId: 'getMessageDeliveries',
  summary: 'Read the deliveries of a message',
  traits: READ,
  run:
    ({ db }) =>
    (request) => {
      const key = messageKeyOf(request);
      return readInEnvironments(db, [key.environmentId], (tx) => deliveriesPage(tx, key, request.values));
    },
});

export const messagesResource = (kinds: ChannelRegistry): PublicResource => ({
  tag: { name: 'Messages', description: 'The status of your events.' },
  schemas: { ...messageSchemas(kinds, explanationSchema(kinds)), ...CHANGED_MESSAGE_SCHEMAS },
  operations: [list, get, getDeliveries, replay, replayDelivery, reschedule, cancelWholeMessage],
});
