import {
  type LargeMessageColumn,
  listMessages,
  type MessageFilter,
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
  MESSAGE_STATUSES,
} from '@postrider/domain';
import { presentRunSummary } from '../delivery-runs/present.ts';
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

/** The fields of a message, in the order in which they are shown. */
export const MESSAGE_FIELDS = [
  'id',
  'message_id',
  'event_key',
  'status',
  'recipient',
  'payload',
  'schedule_at',
  'request_id',
  'test',
  'created_at',
  'delivery_runs',
] as const;
export type MessageField = (typeof MESSAGE_FIELDS)[number];

const LARGE: readonly LargeMessageColumn[] = ['recipient', 'payload'];
const ONE = MESSAGE_FIELDS.join('|');
/** Some of the fields, separated by commas. */
export const FIELDS_PATTERN = `^(?:${ONE})(?:,(?:${ONE}))*$`;
const FIELDS = new RegExp(FIELDS_PATTERN);

/** Which fields of each message a list shows. */
export const FIELDS_PARAMETER: Parameter<ReadonlySet<string>> = {
  parse: (text) => (FIELDS.test(text) ? new Set(text.split(',')) : null),
  code: 'invalid_value',
  message: `must be some of ${MESSAGE_FIELDS.join(', ')}, separated by commas`,
};

/** The large columns that need not be read for these fields; none when all fields are shown. */
export function columnsWithout(fields: ReadonlySet<string> | undefined): readonly LargeMessageColumn[] {
  return fields === undefined ? [] : LARGE.filter((column) => !fields.has(column));
}

/** The message with these fields alone, or as it is when all are shown. */
export function withFields(message: JsonObject, fields: ReadonlySet<string> | undefined): JsonObject {
  if (fields === undefined) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => fields.has(name)));
}

export interface ListQuery {
  readonly limit: number;
  readonly after: string | null;
  readonly filter: MessageFilter;
  /** The fields to show; undefined for all of them. */
  readonly fields: ReadonlySet<string> | undefined;
}

export type ParsedListQuery =
  | { readonly outcome: 'valid'; readonly query: ListQuery }
  | { readonly outcome: 'invalid'; readonly faults: readonly Detail[] };

/** The query parameters of the message list: docs/specification.md, "Message list". */
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

/** What the list's parameters ask of messages. */
export function filterOf(values: ListValues): MessageFilter {
  return {
    eventKey: values.event_key,
    status: values.status,
    recipientEmail: values.recipient_email,
    createdAfter: values.created_after,
    createdBefore: values.created_before,
  };
}

/** Reads the query of the message list; every fault is named at once. */
export function parseListQuery(parameters: URLSearchParams): ParsedListQuery {
  const parsed = parseQuery(parameters, LIST_QUERY_PARAMETERS);
  if (parsed.outcome === 'invalid') return parsed;
  const { values } = parsed;
  return {
    outcome: 'valid',
    query: { ...positionOf(values), filter: filterOf(values), fields: values.fields },
  };
}

export interface MessagePageQuery {
  readonly environmentId: string;
  readonly filter: MessageFilter;
  readonly after: string | null;
  readonly limit: number;
  /** The fields to show; undefined for all of them. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** Answers with a page of an environment's messages. Columns of fields that are not shown are not read. */
export async function messagePage(db: Queryable, { fields, ...query }: MessagePageQuery): Promise<Reply> {
  const page = await listMessages(db, { ...query, omit: columnsWithout(fields) });
  return ok({
    data: page.messages.map((message) => withFields(presentMessage(message), fields)),
    has_more: page.nextAfter !== null,
    next_cursor: page.nextAfter && formatCursor(page.nextAfter),
  });
}

/** A message record: docs/specification.md, "Message list". */
export function presentMessage(message: MessageRecord) {
  const id = formatId('msg', message.id);
  return {
    id,
    message_id: id,
    event_key: message.eventKey,
    status: message.status,
    recipient: message.recipient,
    payload: message.payload,
    schedule_at: formatOptionalTime(message.scheduleAt),
    request_id: message.requestId,
    test: message.test,
    created_at: formatTime(message.createdAt),
    delivery_runs: message.runs.map(presentRunSummary),
  };
}
