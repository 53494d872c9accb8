/** The event that all load is made of; an environment has channels for it. */
export const EVENT_KEY = 'order.paid';
/** The event that makes one e-mail and no webhook. */
export const EMAIL_EVENT_KEY = 'order.mailed';

/** Finds the number of an event in the body of a webhook or in a mail. */
export const REFERENCE_MARK = 'reference":';

/** One line of an order, as it may stand in a payload many times. */
const LINE_ITEM = '{"sku":"PR-20261","title":"Ledger, A5, ruled","quantity":2,"price":"19.90","taxed":true}';

export interface EventShape {
  readonly eventKey: string;
  /** Bytes of the whole request body, about: it is made of whole line items. */
  readonly bytes: number;
  /** RFC 3339; null for at once. */
  readonly scheduleAt: string | null;
}

/** Makes the bodies of events that differ in their number alone. */
export function createEventBodies({
  eventKey,
  bytes,
  scheduleAt,
}: EventShape): (reference: number) => string {
  const schedule = scheduleAt ? `"schedule_at":"${scheduleAt}",` : '';
  const head =
    `{"event_key":"${eventKey}",${schedule}"recipient":{"email":"ada@example.com","name":"Ada"},` +
    '"payload":{"reference":';
  const room = bytes - head.length - ',"items":[]}}'.length;
  const items = Array.from(
    { length: Math.max(1, Math.round(room / (LINE_ITEM.length + 1))) },
    () => LINE_ITEM,
  );
  const tail = `,"items":[${items.join()}]}}`;
  return (reference) => `${head}${reference}${tail}`;
}

/** The number of the event that a webhook's body tells of; null when there is none. */
export function referenceIn(text: string): number | null {
  const start = text.indexOf(REFERENCE_MARK);
  if (start < 0) return null;
  const reference = Number.parseInt(text.slice(start + REFERENCE_MARK.length, start + 24), 10);
  return Number.isNaN(reference) ? null : reference;
}
