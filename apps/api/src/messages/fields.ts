import type { LargeMessageColumn } from '@postrider/db';
import type { JsonObject } from '@postrider/domain';
import type { Parameter } from '../paging/query.ts';

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
