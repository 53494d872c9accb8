import type { ChannelRegistry } from '@postrider/channels';
import { camelFields, formatId, RUN_STATUSES } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { refuse } from '../http/reply.ts';
import { EXPLAIN_PARAMETER, messageReply } from '../messages/explain.ts';
import {
  DELIVERIES_DESCRIPTION,
  DELIVERIES_PAGING,
  deliveriesPage,
  MESSAGE_FILTERS,
  messagePage,
} from '../messages/list.ts';
import { countMessage, MESSAGE_EXAMPLE, MESSAGE_LIST_EXAMPLE } from '../messages/message.ts';
import { DELIVERIES_EXAMPLE } from '../openapi/examples.ts';
import { answers } from '../openapi/operation.ts';
import type { Schema } from '../openapi/schema.ts';
import { described, idParameter, oneOf, PAGING, type Parameter, positionOf, TIME } from '../paging/query.ts';
import { ENVIRONMENT } from './environments.ts';
import { type AdminRequest, type AdminResource, withoutBody } from './operation.ts';
import { messageFilterSchema } from './replays/schema.ts';

const MESSAGES_PATH = '/admin/v1/environments/{environmentId}/messages';
const MESSAGE_PATH = `${MESSAGES_PATH}/{messageId}` as const;

/** The tag of operators' actions on an environment's messages. */
export const SUPPORT_TAG = {
  name: 'Operations',
  description: 'Management: search over an environment, and bulk replay.',
};

type MessageIds = 'environmentId' | 'messageId';

/** The message that the path identifies, recorded for the log. */
function messageIdsOf({ ids, facts }: AdminRequest<MessageIds>): AdminRequest<MessageIds>['ids'] {
  facts.message_id = formatId('msg', ids.messageId);
  return ids;
}

/** An unknown environment has no messages. */
const REFUSALS = { environmentId: refuse('message_not_found') };

/** The parameters of a search. Its filters are described as those of a bulk replay. */
function queryOf(kinds: ChannelRegistry) {
  const { properties } = messageFilterSchema(kinds);
  const as = <Value>(schema: Schema, parameter: Parameter<Value>) =>
    described(String(schema.description), parameter, schema);
  return {
    ...PAGING,
    fields: MESSAGE_FILTERS.fields,
    event_key: as(properties.event_key, MESSAGE_FILTERS.event_key),
    consumer: as(properties.consumer, MESSAGE_FILTERS.consumer),
    status: as(properties.status, MESSAGE_FILTERS.status),
    recipient_email: as(properties.recipient_email, MESSAGE_FILTERS.recipient_email),
    created_after: as(properties.created_after, TIME),
    created_before: as(properties.created_before, TIME),
    run_status: as(properties.run_status, oneOf(RUN_STATUSES)),
    run_ended_after: as(properties.run_ended_after, TIME),
    channel_id: as(properties.channel_id, idParameter('chn')),
    channel_kind: as(properties.channel_kind, oneOf(kinds.kinds)),
    error_code: as(properties.error_code, oneOf(kinds.attemptErrorCodes)),
  };
}

/** Lists matching messages, newest first, with keyset paging. */
const searchWith = (kinds: ChannelRegistry) => {
  return withoutBody({
    path: MESSAGES_PATH,
    operationId: 'searchMessages',
    scope: 'messages:read',
    memory: MEMORY.page,
    summary: 'Search messages',
    description:
      'The messages of an environment that match, newest first. Filters are combined with “and”; those on ' +
      'runs apply to the same delivery run, which is the newest of its channel. A search examines ' +
      'about 10,000 candidates at a time: a page can be short or empty while `has_more` is true; ' +
      '`next_cursor` then continues. A page also ends before its messages exceed 2 MiB in total; ' +
      '`fields` makes them smaller.',
    query: queryOf(kinds),
    of: ENVIRONMENT,
    success: answers('MessageList', MESSAGE_LIST_EXAMPLE),
    errors: ['validation_failed'],
    run: async (request, { db }) => {
      const { limit, cursor, fields, ...filters } = request.values;
      const page = {
        filter: camelFields(filters),
        fields,
        ...positionOf({ limit, cursor }),
        access: request,
      };
      return messagePage(db, { environmentId: request.found.id, ...page });
    },
  });
};

/** Shows the message like the public API. */
const get = withoutBody({
  path: MESSAGE_PATH,
  operationId: 'getEnvironmentMessage',
  scope: 'messages:read',
  memory: countMessage,
  summary: 'Read a message of an environment',
  description: 'The message as the public API shows it.',
  parameters: [EXPLAIN_PARAMETER],
  success: answers('Message', MESSAGE_EXAMPLE),
  errors: ['validation_failed'],
  refusals: REFUSALS,
  run: (request, { db, kinds }) =>
    messageReply(db, messageIdsOf(request), request.query, { kinds, access: request }),
});

/** Shows the deliveries like the public API. */
const getDeliveries = withoutBody({
  path: `${MESSAGE_PATH}/deliveries`,
  operationId: 'getEnvironmentMessageDeliveries',
  scope: 'messages:read',
  memory: MEMORY.page,
  summary: 'Read the deliveries of a message of an environment',
  description: DELIVERIES_DESCRIPTION,
  query: DELIVERIES_PAGING,
  success: answers('Deliveries', DELIVERIES_EXAMPLE),
  errors: ['validation_failed'],
  refusals: REFUSALS,
  run: async (request, { db }) =>
    (await deliveriesPage(db, messageIdsOf(request), request.values)) ?? refuse('message_not_found'),
});

export const environmentMessagesResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: SUPPORT_TAG,
  schemas: {},
  operations: [searchWith(kinds), get, getDeliveries],
});
