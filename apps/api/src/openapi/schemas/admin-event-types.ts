import { nullable, record, type Schema } from '../schema-object.ts';
import { id, openObject, pageOf, text, time } from './common.ts';

const COMMON = {
  environment_id: id('env', 'Its environment.'),
  event_key: text('The event.'),
  description: nullable(text('What it means, for people.')),
  created_at: time('When it was first described.'),
  updated_at: time('When its description or schema was last changed.'),
} as const;

/** Contract section 8. */
export const EVENT_TYPE_SCHEMAS: Readonly<Record<string, Schema>> = {
  EventType: record('What is known of an event key. An event key needs no event type.', {
    ...COMMON,
    payload_schema: nullable(openObject('JSON Schema 2020-12 that every payload must fulfil.')),
  }),
  EventTypeSummary: record('An event type without its schema.', {
    ...COMMON,
    has_payload_schema: { type: 'boolean', description: 'Whether payloads are validated.' },
  }),
  EventTypeList: pageOf('EventTypeSummary', 'A page of event types, by their keys.'),
};
