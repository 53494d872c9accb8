/** See docs/specification.md, "Event keys". */
export const MAX_EVENT_KEY_LENGTH = 128;
/** A longer pattern could only match event keys that are too long. */
export const MAX_EVENT_PATTERN_LENGTH = MAX_EVENT_KEY_LENGTH;

/** For JSON Schema. The length is limited separately. */
export const EVENT_KEY_PATTERN = '^[a-z0-9_-]+(\\.[a-z0-9_-]+)+$';

const EVENT_KEY = new RegExp(EVENT_KEY_PATTERN);
const WILDCARD_PATTERN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.\*$/;

/**
 * Whether `text` is an event key: 2 or more dot-separated parts of `[a-z0-9_-]`, at most 128 characters
 * (docs/specification.md, "Event keys").
 */
export function isEventKey(text: string): boolean {
  return text.length <= MAX_EVENT_KEY_LENGTH && EVENT_KEY.test(text);
}

/**
 * Whether `text` is a valid pattern in a channel's `event_keys` (docs/specification.md, "Event keys"): `*`, an event
 * key, or leading parts and `.*` such as `order.*`. A star elsewhere is invalid, and so is a single part, which no
 * event key equals.
 */
export function isEventPattern(text: string): boolean {
  if (text === '*') return true;
  return isEventKey(text) || (text.length <= MAX_EVENT_PATTERN_LENGTH && WILDCARD_PATTERN.test(text));
}

/**
 * Whether one of a channel's patterns matches the event key; `order.*` matches `order.shipped` and `order.item.added`.
 */
export function matchesEvent(patterns: readonly string[], eventKey: string): boolean {
  return patterns.some((pattern) => {
    if (pattern === '*') return true;
    return pattern.endsWith('.*') ? eventKey.startsWith(pattern.slice(0, -1)) : pattern === eventKey;
  });
}

/** Types of operational events (docs/specification.md, "Operational events"). */
const OPERATIONAL_EVENT_TYPES = [
  'channel.failing',
  'channel.paused',
  'channel.recovered',
  'run.exhausted',
  'ordering_key.blocked',
  'quota.threshold',
  'template.render_failed',
  'secret.expiring',
  'suppression.added',
  'stream.paused',
  'stream.resumed',
  'audit.recorded',
] as const;
/** Operational events about deliveries that an environment chooses (`outcome_events`): one or more for each delivery. */
export const OUTCOME_EVENT_TYPES = [
  'run.succeeded',
  'run.failed',
  'message.completed',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.deferred',
  'recipient.unsubscribed',
] as const;
export type OutcomeEventType = (typeof OUTCOME_EVENT_TYPES)[number];
export type OperationalEventType = (typeof OPERATIONAL_EVENT_TYPES)[number] | OutcomeEventType;

/** Whether events with this key can be the service's own. */
export const isOperationalEventType = (eventKey: string): boolean =>
  [...OPERATIONAL_EVENT_TYPES, ...OUTCOME_EVENT_TYPES].some((type) => type === eventKey);

/** Percentages of the monthly quota that are reported when reached. */
export const QUOTA_THRESHOLDS = [50, 80, 100] as const;
