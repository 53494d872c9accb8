/** The event that all load is made of; an environment has channels for it. */
export const EVENT_KEY = 'order.paid';
/** The event that makes one e-mail and no webhook. */
export const EMAIL_EVENT_KEY = 'order.mailed';

/** Finds the number of an event in the body of a webhook or in a mail. */
export const REFERENCE_MARK = 'reference":';

/** One line of an order, as it may stand in a payload many times. */
const LINE_ITEM = '{"sku":"PR-20261","title":"Ledger, A5, ruled","quantity":2,"price":"19.90","taxed":true}';

/** Spreads so many events evenly over some time. */
export interface Schedule {
  /** Milliseconds since the epoch at which the first is due. */
  readonly fromMs: number;
  readonly spreadMs: number;
  readonly firstReference: number;
  readonly events: number;
}

export interface EventShape {
  readonly eventKey: string;
  /** Bytes of the whole request body, about: it is made of whole line items. */
  readonly bytes: number;
  /** Null for events that are due at once. */
  readonly schedule: Schedule | null;
}

/** How long after `fromMs` the event with this number is due. */
const dueAfterMs = ({ firstReference, events, spreadMs }: Schedule, reference: number): number =>
  Math.floor(((reference - firstReference) * spreadMs) / events);

/** Makes the bodies of events that differ in their number and in when they are due alone. */
export function createEventBodies({ eventKey, bytes, schedule }: EventShape): (reference: number) => string {
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
  return (reference) => `${head}${due(reference)}${middle}${reference}${tail}`;
}

/** The number of the event that a webhook's body or a mail tells of; null when there is none. */
export function referenceIn(text: string): number | null {
  const start = text.indexOf(REFERENCE_MARK);
  if (start < 0) return null;
  const reference = Number.parseInt(text.slice(start + REFERENCE_MARK.length, start + 24), 10);
  return Number.isNaN(reference) ? null : reference;
}
