import { timingSafeEqual } from 'node:crypto';
import {
  type FeedbackEvent,
  isJsonObject,
  isNestedDeeper,
  type JsonObject,
  type JsonValue,
} from '@postrider/domain';
import {
  type FeedbackReading,
  type FeedbackRequest,
  feedbackEventId,
  feedbackReason,
  feedbackRunId,
  feedbackText,
  feedbackTime,
  MAX_FEEDBACK_EVENTS,
} from '../../feedback.ts';

/** How far a signed time may be ahead of this machine's clock. */
const MAX_AHEAD_MS = 5 * 60_000;

export const malformed = (message: string): FeedbackReading => ({ ok: false, status: 400, message });
/** Asks the provider to try again. Amazon SNS does not repeat a request after a 4xx. */
export const unavailable = (message: string): FeedbackReading => ({ ok: false, status: 503, message });
export const notGenuine = (message: string): FeedbackReading => ({ ok: false, status: 401, message });

/** The value of a header that occurs exactly once; null otherwise. */
export function headerOf({ headers }: FeedbackRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Compares two texts in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** Nested objects and lists in a body: deep ones take many times as long, and can exhaust the stack of what reads them. */
const MAX_DEPTH = 32;

/**
 * Parses JSON; undefined if it is not JSON or has more than 32 levels. Use it for verified bodies, too: the channel's
 * author has the key.
 */
export function parseBounded(json: Buffer | string): JsonValue | undefined {
  if (isNestedDeeper(typeof json === 'string' ? Buffer.from(json) : json, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

/** The object in a field, or an empty object. */
export function objectIn(parent: JsonObject, field: string): JsonObject {
  const value = parent[field];
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** The list in a field, or an empty list. */
export function listIn(parent: JsonObject, field: string): readonly JsonValue[] {
  const value = parent[field];
  return Array.isArray(value) ? value : [];
}

/**
 * Whether a signed time is recent.
 * @param seconds since the epoch, as the provider writes it
 * @param windowMs how long the provider repeats the same request. A window of hours is safe: events are recognised by
 * their ids, so a replayed request has no effect
 */
export function isRecent(seconds: string, nowMs: number, windowMs: number): boolean {
  if (!/^\d{1,12}$/.test(seconds)) return false;
  const age = nowMs - Number(seconds) * 1_000;
  return age <= windowMs && age >= -MAX_AHEAD_MS;
}

/** An event as the provider sends it. Nothing in it is validated. */
export interface RawEvent {
  readonly type: FeedbackEvent['type'];
  readonly permanent?: boolean;
  readonly id?: unknown;
  readonly email: unknown;
  /** Values that may contain the run's public id: metadata first, then the `Message-ID`. */
  readonly run: readonly unknown[];
  readonly messageId: unknown;
  readonly at: unknown;
  readonly reason?: unknown;
}

/** The type of an event, and whether a bounce is permanent. */
export type EventType = Pick<RawEvent, 'type' | 'permanent'>;

/** The type of an event by a table; null if the table does not have its name. */
export function typeIn(types: ReadonlyMap<unknown, RawEvent['type']>, name: unknown): EventType | null {
  const type = types.get(name);
  return type === undefined ? null : { type };
}

/** Converts and validates events. More than 1,000 in one request are refused: no provider sends so many. */
export function readEvents(raw: readonly RawEvent[], nowMs: number): FeedbackReading {
  if (raw.length > MAX_FEEDBACK_EVENTS) {
    return malformed(`A request may have at most ${MAX_FEEDBACK_EVENTS} events.`);
  }
  const events = raw.map((event): FeedbackEvent => {
    const { type, permanent = false, id, email, run, messageId, at, reason } = event;
    return {
      id: feedbackEventId(id, type, email, messageId, at),
      type,
      permanent,
      email: feedbackText(email),
      runId: feedbackRunId(...run),
      providerMessageId: feedbackText(messageId),
      at: feedbackTime(at, nowMs),
      reason: feedbackReason(reason),
    };
  });
  return { ok: true, events };
}

export const NO_EVENTS: FeedbackReading = { ok: true, events: [] };
