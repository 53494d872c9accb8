import { LARGE_MESSAGE_FIELDS, type LargeMessageField, type MessageRecord } from '@postrider/db';
import { formatId, formatOptionalTime, formatTime, type JsonObject, type JsonValue } from '@postrider/domain';
import { presentRunSummary } from '../delivery-runs/present.ts';
import type { Parameter } from '../paging/query.ts';

/** The fields of a message record, in the order in which they are shown: docs/specification.md "Message". */
const PRESENTED = {
  id: ({ id }) => formatId('msg', id),
  message_id: ({ id }) => formatId('msg', id),
  event_key: ({ eventKey }) => eventKey,
  status: ({ status }) => status,
  recipient: ({ recipient }) => recipient,
  payload: ({ payload }) => payload,
  schedule_at: ({ scheduleAt }) => formatOptionalTime(scheduleAt),
  request_id: ({ requestId }) => requestId,
  test: ({ test }) => test,
  created_at: ({ createdAt }) => formatTime(createdAt),
  delivery_runs: ({ runs }) => runs.map(presentRunSummary),
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

/** Which fields of each message a list shows. */
export const FIELDS_PARAMETER: Parameter<ReadonlySet<string>> = {
  parse: (text) => (FIELDS.test(text) ? new Set(text.split(',')) : null),
  code: 'invalid_value',
  message: `must be some of ${MESSAGE_FIELDS.join(', ')}, separated by commas`,
};

/** The large fields that need not be read when these are shown; none when all are. Their names are one word. */
export function fieldsToOmit(fields: ReadonlySet<string> | undefined): readonly LargeMessageField[] {
  return fields === undefined ? [] : LARGE_MESSAGE_FIELDS.filter((field) => !fields.has(field));
}
