import type { ChannelRegistry } from '@postrider/channels';
import { camelFields, formatId, RUN_STATUSES, refuse } from '@postrider/domain';
import { MESSAGE_READ, messageReply } from '../messages/explain.ts';
import {
  DELIVERIES_READ,
  deliveriesPage,
  MESSAGE_FILTERS,
  MESSAGE_LIST,
  MESSAGE_PAGING,
  messagePage,
} from '../messages/list.ts';
import type { Schema } from '../openapi/schema.ts';
import { described, idParameter, oneOf, type Parameter, TIME } from '../paging/query.ts';
import { ENVIRONMENT } from './environments.ts';
import { type AdminRequest, type AdminResource, adminOperation } from './operation.ts';
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
function messageIdsOf({ ids, context }: AdminRequest<MessageIds>): AdminRequest<MessageIds>['ids'] {
  context.facts.message_id = formatId('msg', ids.messageId);
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
    ...MESSAGE_PAGING,
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
  return adminOperation({
    ...MESSAGE_LIST,
    path: MESSAGES_PATH,
    operationId: 'searchMessages',
    summary: 'Search messages',
    description:
      'The messages of an environment that match, newest first. Filters are combined with “and”; those on ' +
      'runs apply to the same delivery run, which is the newest of its channel. A search examines ' +
      'about 10,000 candidates at a time: a page can be short or empty while `has_more` is true; ' +
      '`next_cursor` then continues. A page also ends before its messages exceed 2 MiB in total; ' +
      '`fields` makes them smaller.',
    query: queryOf(kinds),
    of: ENVIRONMENT,
    run: async (request, { db }) => {
      const { limit, cursor, fields, ...filters } = request.values;
      const query = { ...request.ids, limit, cursor, fields, filter: camelFields(filters) };
      return messagePage(db, query, request);
    },
  });
};

/** Shows the message like the public API. */
const get = adminOperation({
  ...MESSAGE_READ,
  path: MESSAGE_PATH,
  operationId: 'getEnvironmentMessage',
  summary: 'Read a message of an environment',
  description: 'The message as the public API shows it.',
  refusals: REFUSALS,
  run: (request, { db, kinds }) =>
    messageReply(db, messageIdsOf(request), request.values, { kinds, access: request }),
});

/** Shows the deliveries like the public API. */
const getDeliveries = adminOperation({
  ...DELIVERIES_READ,
  path: `${MESSAGE_PATH}/deliveries`,
  operationId: 'getEnvironmentMessageDeliveries',
  summary: 'Read the deliveries of a message of an environment',
  refusals: REFUSALS,
  run: (request, { db }) => deliveriesPage(db, messageIdsOf(request), request.values),
});

export const environmentMessagesResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: SUPPORT_TAG,
  schemas: {},
  operations: [searchWith(kinds), get, getDeliveries],
});
