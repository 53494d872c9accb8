import {
  LARGE_MESSAGE_FIELDS,
  type LargeMessageField,
  listMessages,
  MAX_DELIVERIES,
  type Queryable,
  readDeliveries,
} from '@postrider/db';
import {
  formatId,
  isConsumerId,
  isEventKey,
  MESSAGE_STATUSES,
  type MessageFilter,
  reject,
  toBareAddress,
} from '@postrider/domain';
import type { Access } from '../access/access.ts';
import { hiddenFrom, requireSearch, withSmallRecipient } from '../access/content.ts';
import { presentRun } from '../delivery-runs/present.ts';
import { EVENT_BODY_SCHEMA } from '../events/schema.ts';
import { MEMORY } from '../http/memory.ts';
import { ok, okText, type Success } from '../http/reply.ts';
import { ACCEPTED_AT, DELIVERIES_EXAMPLE } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import { PATH_PARAMETERS } from '../openapi/parameters.ts';
import {
  cursorsOf,
  type DescribedParameter,
  described,
  oneOf,
  paging,
  positionOf,
  searchedBackTo,
  TIME,
  textThat,
  type Values,
} from '../paging/query.ts';
import { MESSAGE_EXAMPLE, MESSAGE_FIELDS, presentMessage } from './message.ts';

const ONE = MESSAGE_FIELDS.join('|');
/** Some of the fields, separated by commas. */
const FIELDS_PATTERN = `^(?:${ONE})(?:,(?:${ONE}))*$`;
const FIELDS = new RegExp(FIELDS_PATTERN);

/** The fields of each message that a list shows. */
const FIELDS_PARAMETER: DescribedParameter<ReadonlySet<string>> = {
  parse: (text) => (FIELDS.test(text) ? new Set(text.split(',')) : null),
  code: 'invalid_value',
  message: `must be one or more of ${MESSAGE_FIELDS.join(', ')}, separated by commas`,
  description:
    'The fields of each message, separated by commas. Default: all. Without `payload` and `recipient` pages ' +
    'are small and are read faster.',
  schema: { type: 'string', pattern: FIELDS_PATTERN, examples: ['id,status,created_at'] },
};

/** The large fields that need not be read if only `fields` are shown. */
function fieldsToOmit(fields: ReadonlySet<string> | undefined): readonly LargeMessageField[] {
  return fields === undefined ? [] : LARGE_MESSAGE_FIELDS.filter((field) => !fields.has(field));
}

const MESSAGE_CURSORS = cursorsOf('messages');
export const MESSAGE_PAGING = paging(MESSAGE_CURSORS);

/** The query parameters of the message list besides those of paging (docs/specification.md, "Reads and actions"). */
export const MESSAGE_FILTERS = {
  fields: FIELDS_PARAMETER,
  event_key: described(
    'Only messages with this event key.',
    textThat(isEventKey, 'must be an event key'),
    EVENT_BODY_SCHEMA.properties.event_key,
  ),
  consumer: described(
    'Only messages of this consumer.',
    textThat(isConsumerId, 'must be the id of a consumer'),
    PATH_PARAMETERS.consumer.schema,
  ),
  status: described('Only messages with this status.', oneOf(MESSAGE_STATUSES)),
  recipient_email: described(
    'Only messages to this address, ignoring case. Requires `messages:content`.',
    { parse: toBareAddress, code: 'invalid_format', message: 'must be one bare email address' },
    { type: 'string', format: 'email' },
  ),
  created_after: described('Only messages accepted at this time or later.', TIME),
  created_before: described('Only messages accepted before this time.', TIME),
};

const MESSAGE_LIST_EXAMPLE = {
  data: [MESSAGE_EXAMPLE],
  has_more: true,
  next_cursor: MESSAGE_CURSORS.format('019ac5a2-e3d1-7be3-9454-c95d8501e933'),
  searched_back_to: ACCEPTED_AT,
};

/** What the operations that list messages have in common, see {@link messagePage}. */
export const MESSAGE_LIST = {
  scope: 'messages:read',
  memory: MEMORY.page,
  success: returns('MessageList', MESSAGE_LIST_EXAMPLE),
} as const;

interface MessagePageQuery extends Values<typeof MESSAGE_PAGING & Pick<typeof MESSAGE_FILTERS, 'fields'>> {
  readonly environmentId: string;
  readonly filter: MessageFilter;
}

/**
 * Responds with a page of an environment's messages. Large fields that are not shown are not read.
 * @throws RefusedError for a search by content that the caller may not see
 */
export async function messagePage(
  db: Queryable,
  { environmentId, filter, fields, ...position }: MessagePageQuery,
  access: Pick<Access, 'scopes'>,
): Promise<Success> {
  requireSearch(access, filter.recipientEmail !== undefined);
  const omit = [...fieldsToOmit(fields), ...hiddenFrom(access)];
  const page = await listMessages(db, { environmentId, filter, ...positionOf(position), omit });
  return okText({
    data: page.rows.map((message) => presentMessage(withSmallRecipient(access, message), fields)),
    has_more: page.nextAfter !== null,
    next_cursor: page.nextAfter && MESSAGE_CURSORS.format(page.nextAfter),
    searched_back_to: searchedBackTo(page.nextAfter),
  });
}

const DELIVERY_CURSORS = cursorsOf('deliveries');
/** What a page of deliveries understands. It shows the runs of a message that was not replayed all at once. */
const DELIVERIES_PAGING = paging(DELIVERY_CURSORS, {
  entries: 'Delivery runs per page.',
  defaultLimit: MAX_DELIVERIES,
});

/** What the operations that read the deliveries of a message have in common, see {@link deliveriesPage}. */
export const DELIVERIES_READ = {
  scope: 'messages:read',
  memory: MEMORY.page,
  description:
    'The delivery runs of the message, oldest first, each with all of its attempts, responses and ' +
    'errors. A message that was replayed can have more runs than a page: `has_more` is then true. A page also ends ' +
    'before its runs exceed 2 MiB in total.',
  query: DELIVERIES_PAGING,
  success: returns('Deliveries', DELIVERIES_EXAMPLE),
} as const;

/**
 * Responds with a page of a message's runs.
 * @throws RefusedError 404 if the environment has no such message
 */
export async function deliveriesPage(
  db: Queryable,
  { environmentId, messageId }: { readonly environmentId: string; readonly messageId: string },
  { limit = MAX_DELIVERIES, cursor }: Values<typeof DELIVERIES_PAGING>,
): Promise<Success> {
  const page = await readDeliveries(db, { environmentId, messageId, after: cursor ?? null, limit });
  if (!page) reject('message_not_found');
  return ok({
    message_id: formatId('msg', messageId),
    delivery_runs: page.rows.map(presentRun),
    has_more: page.nextAfter !== null,
    next_cursor: page.nextAfter && DELIVERY_CURSORS.format(page.nextAfter),
  });
}
