import {
  LARGE_MESSAGE_FIELDS,
  type LargeMessageField,
  listMessages,
  type MessageRecord,
  type Queryable,
} from '@postrider/db';
import {
  formatId,
  formatOptionalTime,
  formatTime,
  isBareEmailAddress,
  isEventKey,
  type JsonObject,
  type JsonValue,
  MESSAGE_STATUSES,
  type MessageFilter,
} from '@postrider/domain';
import { presentRunOfMessage } from '../delivery-runs/present.ts';
import { type Detail, ok, type Reply } from '../http/reply.ts';
import {
  formatCursor,
  oneOf,
  PAGING_PARAMETERS,
  type Parameter,
  parseQuery,
  positionOf,
  TIME,
} from '../paging/query.ts';

/** The fields of a message record, in their order (docs/specification.md, "Message"). */
const PRESENTED = {
  id: ({ id }) => formatId('msg', id),
  message_id: ({ id }) => formatId('msg', id),
  event_key: ({ eventKey }) => eventKey,
  status: ({ status }) => status,
  recipient: ({ recipient }) => recipient,
  payload: ({ payload }) => payload,
  schedule_at: ({ scheduleAt }) => formatOptionalTime(scheduleAt),
  expires_at: ({ expiresAt }) => formatOptionalTime(expiresAt),
  ordering_key: ({ orderingKey }) => orderingKey,
  request_id: ({ requestId }) => requestId,
  test: ({ test }) => test,
  created_at: ({ createdAt }) => formatTime(createdAt),
  erased_at: ({ erasedAt }) => formatOptionalTime(erasedAt),
  delivery_runs: ({ runs }) => runs.map(presentRunOfMessage),
  has_more_runs: ({ hasMoreRuns }) => hasMoreRuns,
} satisfies Record<string, (message: MessageRecord) => JsonValue>;

type PresentedField = keyof typeof PRESENTED;
export const MESSAGE_FIELDS = Object.keys(PRESENTED) as PresentedField[];

/** A message record, with all fields or with some. */
export function presentMessage(message: MessageRecord, fields?: ReadonlySet<string>): JsonObject {
  const shown = fields ? MESSAGE_FIELDS.filter((field) => fields.has(field)) : MESSAGE_FIELDS;
  return Object.fromEntries(shown.map((field) => [field, PRESENTED[field](message)]));
}

const ONE = MESSAGE_FIELDS.join('|');
/** Some of the fields, separated by commas. */
export const FIELDS_PATTERN = `^(?:${ONE})(?:,(?:${ONE}))*$`;
const FIELDS = new RegExp(FIELDS_PATTERN);

/** The fields of each message that a list shows. */
const FIELDS_PARAMETER: Parameter<ReadonlySet<string>> = {
  parse: (text) => (FIELDS.test(text) ? new Set(text.split(',')) : null),
  code: 'invalid_value',
  message: `must be some of ${MESSAGE_FIELDS.join(', ')}, separated by commas`,
};

/** The large fields that need not be read if only `fields` are shown. */
function fieldsToOmit(fields: ReadonlySet<string> | undefined): readonly LargeMessageField[] {
  return fields === undefined ? [] : LARGE_MESSAGE_FIELDS.filter((field) => !fields.has(field));
}

interface ListQuery {
  readonly limit: number;
  readonly after: string | null;
  readonly filter: MessageFilter;
  /** The fields to show; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
}

type ParsedListQuery =
  | { readonly outcome: 'valid'; readonly query: ListQuery }
  | { readonly outcome: 'invalid'; readonly issues: readonly Detail[] };

/** The query parameters of the message list (docs/specification.md, "Message list"). */
export const LIST_QUERY_PARAMETERS = {
  ...PAGING_PARAMETERS,
  fields: FIELDS_PARAMETER,
  event_key: {
    parse: (text: string) => (isEventKey(text) ? text : null),
    code: 'invalid_format',
    message: 'must be an event key',
  },
  status: oneOf(MESSAGE_STATUSES),
  recipient_email: {
    parse: (text: string) => (isBareEmailAddress(text) ? text : null),
    code: 'invalid_format',
    message: 'must be one bare e-mail address',
  },
  created_after: TIME,
  created_before: TIME,
} as const;

type ListValues = Extract<
  ReturnType<typeof parseQuery<typeof LIST_QUERY_PARAMETERS>>,
  { outcome: 'valid' }
>['values'];

/** Converts the query parameters to a filter. */
export function filterOf(values: ListValues): MessageFilter {
  return {
    eventKey: values.event_key,
    status: values.status,
    recipientEmail: values.recipient_email,
    createdAfter: values.created_after,
    createdBefore: values.created_before,
  };
}

/** Parses the query of the message list. All issues are reported at once. */
export function parseListQuery(parameters: URLSearchParams): ParsedListQuery {
  const parsed = parseQuery(parameters, LIST_QUERY_PARAMETERS);
  if (parsed.outcome === 'invalid') return parsed;
  const { values } = parsed;
  return {
    outcome: 'valid',
    query: { ...positionOf(values), filter: filterOf(values), fields: values.fields },
  };
}

interface MessagePageQuery {
  readonly environmentId: string;
  readonly filter: MessageFilter;
  readonly after: string | null;
  readonly limit: number;
  /** The fields to show; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** Responds with a page of an environment's messages. Large fields that are not shown are not read. */
export async function messagePage(db: Queryable, { fields, ...query }: MessagePageQuery): Promise<Reply> {
  const page = await listMessages(db, { ...query, omit: fieldsToOmit(fields) });
  return ok({
    data: page.messages.map((message) => presentMessage(message, fields)),
    has_more: page.nextAfter !== null,
    next_cursor: page.nextAfter && formatCursor(page.nextAfter),
  });
}
