import { MESSAGE_FILTER_SCHEMA } from '../../admin/replays/schema.ts';
import { DELIVERIES_EXAMPLE, MESSAGE_EXAMPLE, MESSAGE_LIST_EXAMPLE } from '../examples.ts';
import type { AdminOperationDoc } from '../operation-doc.ts';
import { ENVIRONMENT_ID, filter, MESSAGE_FIELDS_FILTER, MESSAGE_ID, PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';

const FILTERS = Object.entries(MESSAGE_FILTER_SCHEMA.properties).map(([name, schema]) =>
  filter(name, schema.description, schema),
);

export const SEARCH_MESSAGES: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/messages',
  operationId: 'searchMessages',
  tag: 'Operations',
  summary: 'Search messages',
  description:
    'The messages of an environment that match, newest first. Filters are combined with “and”; those on ' +
    'runs hold for one and the same delivery run, which is the newest of its channel. A search looks at ' +
    'some 10,000 candidates at a time: a page can be short, or empty, while `has_more` is true; ' +
    '`next_cursor` then goes on. A page also ends where its messages would be larger than 2 MiB together; ' +
    '`fields` makes them smaller.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, ...PAGING, MESSAGE_FIELDS_FILTER, ...FILTERS],
  success: { status: 200, schema: ref('MessageList'), example: MESSAGE_LIST_EXAMPLE },
  errors: ['environment_not_found', 'validation_failed'],
};

export const GET_ENVIRONMENT_MESSAGE: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/messages/{messageId}',
  operationId: 'getEnvironmentMessage',
  tag: 'Operations',
  summary: 'Read a message of an environment',
  description: 'The message as the public API shows it.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, MESSAGE_ID],
  success: { status: 200, schema: ref('Message'), example: MESSAGE_EXAMPLE },
  errors: ['message_not_found'],
};

export const GET_ENVIRONMENT_DELIVERIES: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}/messages/{messageId}/deliveries',
  operationId: 'getEnvironmentMessageDeliveries',
  tag: 'Operations',
  summary: 'Read the deliveries of a message of an environment',
  description: 'Every delivery run of the message with every attempt, as the public API shows them.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID, MESSAGE_ID],
  success: { status: 200, schema: ref('Deliveries'), example: DELIVERIES_EXAMPLE },
  errors: ['message_not_found'],
};
