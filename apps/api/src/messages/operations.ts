import type { ChannelRegistry } from '@postrider/channels';
import { type Database, type Queryable, readInEnvironments } from '@postrider/db';
import { MESSAGE_STATUSES } from '@postrider/domain';
import { EVENT_BODY_SCHEMA } from '../events/schema.ts';
import { MEMORY } from '../http/memory.ts';
import { type Reply, refuse } from '../http/reply.ts';
import { DELIVERIES_EXAMPLE } from '../openapi/examples.ts';
import { PAGING, PATH_PARAMETERS } from '../openapi/parameters.ts';
import { ref } from '../openapi/schema.ts';
import { filter, queryOf } from '../paging/query.ts';
import { type Identified, type Operation, type PublicResource, READ } from '../pipeline/stage.ts';
import { invalid } from '../validation/body.ts';
import { CHANGED_MESSAGE_SCHEMAS, cancelWholeMessage, reschedule } from './change-message.ts';
import { EXPLAIN_PARAMETER, explanationSchema, messageReply } from './explain.ts';
import {
  DELIVERIES_DESCRIPTION,
  DELIVERIES_PAGING,
  deliveriesPage,
  MESSAGE_FIELDS_FILTER,
  messagePage,
  parseListQuery,
} from './list.ts';
import { countMessage, MESSAGE_EXAMPLE, MESSAGE_LIST_EXAMPLE, messageSchemas } from './message.ts';
import { messageIdOf, replay, replayDelivery } from './replay.ts';

type MessageKey = { readonly environmentId: string; readonly messageId: string };

/** Responds with the result of `read` for the path's message in the token's environment; 404 if it is null. */
async function answerAbout(
  db: Database,
  request: Identified,
  read: (tx: Queryable, key: MessageKey) => Promise<Reply | null>,
): Promise<Reply> {
  const messageId = messageIdOf(request);
  if (messageId === null) return refuse('message_not_found');
  const environmentId = request.snapshot.environment.id;
  const reply = await readInEnvironments(db, [environmentId], (tx) => read(tx, { environmentId, messageId }));
  return reply ?? refuse('message_not_found');
}

const list: Operation = {
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
  parameters: [
    ...PAGING,
    MESSAGE_FIELDS_FILTER,
    filter('event_key', 'Only messages with this event key.', EVENT_BODY_SCHEMA.properties.event_key),
    filter('consumer', 'Only messages of this consumer.', PATH_PARAMETERS.consumer.schema),
    filter('status', 'Only messages with this status.', { type: 'string', enum: [...MESSAGE_STATUSES] }),
    filter('recipient_email', 'Only messages to this address in any case, with `messages:content`.', {
      type: 'string',
      format: 'email',
    }),
    filter('created_after', 'Only messages accepted at this time or later.', {
      type: 'string',
      format: 'date-time',
    }),
    filter('created_before', 'Only messages accepted before this time.', {
      type: 'string',
      format: 'date-time',
    }),
  ],
  success: { status: 200, schema: ref('MessageList'), example: MESSAGE_LIST_EXAMPLE },
  errors: ['validation_failed'],
  run:
    ({ db }) =>
    async (request) => {
      const parsed = parseListQuery(queryOf(request.http.url));
      if (parsed.outcome === 'invalid') return invalid(parsed.issues);
      const environmentId = request.snapshot.environment.id;
      return readInEnvironments(db, [environmentId], (tx) =>
        messagePage(tx, { environmentId, ...parsed.query, access: request }),
      );
    },
};

const get: Operation = {
  method: 'get',
  path: '/api/v1/messages/{messageId}',
  operationId: 'getMessage',
  scope: 'messages:read',
  memory: countMessage,
  summary: 'Read a message',
  description:
    'The message as it was accepted, with its status and a summary of its newest 100 delivery runs.',
  traits: READ,
  parameters: [PATH_PARAMETERS.messageId, EXPLAIN_PARAMETER],
  success: { status: 200, schema: ref('Message'), example: MESSAGE_EXAMPLE },
  errors: ['message_not_found', 'validation_failed'],
  run:
    ({ db, kinds }) =>
    (request) =>
      answerAbout(db, request, (tx, key) =>
        messageReply(tx, key, queryOf(request.http.url), { kinds, access: request }),
      ),
};

const getDeliveries: Operation = {
  method: 'get',
  path: '/api/v1/messages/{messageId}/deliveries',
  operationId: 'getMessageDeliveries',
  scope: 'messages:read',
  memory: MEMORY.page,
  summary: 'Read the deliveries of a message',
  description: DELIVERIES_DESCRIPTION,
  traits: READ,
  parameters: [PATH_PARAMETERS.messageId, ...DELIVERIES_PAGING],
  success: { status: 200, schema: ref('Deliveries'), example: DELIVERIES_EXAMPLE },
  errors: ['message_not_found', 'validation_failed'],
  run:
    ({ db }) =>
    (request) =>
      answerAbout(db, request, (tx, key) => deliveriesPage(tx, key, queryOf(request.http.url))),
};

export const messagesResource = (kinds: ChannelRegistry): PublicResource => ({
  tag: { name: 'Messages', description: 'The status of your events.' },
  schemas: { ...messageSchemas(kinds, explanationSchema(kinds)), ...CHANGED_MESSAGE_SCHEMAS },
  operations: [list, get, getDeliveries, replay, replayDelivery, reschedule, cancelWholeMessage],
});
