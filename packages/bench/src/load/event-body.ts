/** The event key of all loads; the tenants' channels subscribe to it. */
export const EVENT_KEY = 'order.paid';
/** The event key that results in one email and no webhook. */
export const EMAIL_EVENT_KEY = 'order.mailed';

/** The text before an event's number in the body of a webhook or in a mail. */
export const REFERENCE_MARK = 'reference":';

/** One line of an order; a payload repeats it to reach its size. */
const LINE_ITEM = '{"sku":"PR-20261","title":"Ledger, A5, ruled","quantity":2,"price":"19.90","taxed":true}';

/** Spreads a number of events evenly over a time. */
interface Schedule {
  /** When the first is due, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly spreadMs: number;
  readonly firstReference: number;
  readonly events: number;
}

export interface EventShape {
  readonly eventKey: string;
  /** Approximate bytes of the whole request body, which consists of whole line items. */
  readonly bytes: number;
  /** Null for events that are due at once. */
  readonly schedule: Schedule | null;
  /** How many consumers the events name in turn, in an order without neighbours; by default none. */
  readonly consumers?: number;
}

/** A prime, so that every consumer has its turn. */
const STRIDE = 7_919;

/** The id of the consumer with this number, from 0 on. */
export const consumerIdOf = (number: number) => `org_${number}`;

/** How many milliseconds after `fromMs` the event with this number is due. */
const dueAfterMs = ({ firstReference, events, spreadMs }: Schedule, reference: number): number =>
  Math.floor(((reference - firstReference) * spreadMs) / events);

/** Makes the bodies of events that differ only in their number and due time. */
export function createEventBodies(shape: EventShape): (reference: number) => string {
  const { eventKey, bytes, schedule, consumers } = shape;
  const head = `{"event_key":"${eventKey}",`;
  const middle = '"recipient":{"email":"ada@example.com","name":"Ada"},"payload":{"reference":';
  const room = bytes - head.length - middle.length - ',"items":[]}}'.length;
  const count = Math.max(1, Math.round(room / (LINE_ITEM.length + 1)));
  const tail = `,"items":[${Array.from({ length: count }, () => LINE_ITEM).join()}]}}`;
  const due = (reference: number) => {
    if (!schedule) return '';
    const at = new Date(schedule.fromMs + dueAfterMs(schedule, reference));
    return `"schedule_at":"${at.toISOString()}",`;
  };
  const consumer = (reference: number) =>
    consumers === undefined ? '' : `"consumer":"${consumerIdOf((reference * STRIDE) % consumers)}",`;
  return (reference) => `${head}${due(reference)}${consumer(reference)}${middle}${reference}${tail}`;
}

/** The body of a batch of these events, each with its own idempotency key. Not atomic. */
export const batchBody = (events: readonly { readonly key: string; readonly body: string }[]): string =>
  `{"events":[${events.map(({ key, body }) => `{"idempotency_key":"${key}","event":${body}}`).join()}]}`;

/** The number of the event in a webhook's body or a mail; null if there is none. */
export function referenceIn(text: string): number | null {
  const start = text.indexOf(REFERENCE_MARK);
  if (start < 0) return null;
  const reference = Number.parseInt(text.slice(start + REFERENCE_MARK.length, start + 24), 10);
  return Number.isNaN(reference) ? null : reference;
}
