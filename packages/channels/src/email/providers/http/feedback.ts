import { timingSafeEqual } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';
import {
  type FeedbackEvent,
  type FeedbackReading,
  type FeedbackRequest,
  feedbackEventId,
  feedbackReason,
  feedbackRunId,
  feedbackText,
  feedbackTime,
  MAX_FEEDBACK_EVENTS,
} from '../../feedback.ts';

/** Clocks of machines differ by so much at most. */
const MAX_AHEAD_MS = 5 * 60_000;

export const malformed = (message: string): FeedbackReading => ({ ok: false, status: 400, message });
/** Has the provider try again: Amazon SNS takes a 4xx for an answer for good. */
export const unavailable = (message: string): FeedbackReading => ({ ok: false, status: 503, message });
export const notGenuine = (message: string): FeedbackReading => ({ ok: false, status: 401, message });

/** The value of a header that occurs once; null otherwise. */
export function headerOf({ headers }: FeedbackRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Whether two texts are the same, in a time that does not say where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** The JSON in a text; undefined when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a field; an empty one when there is none. */
export function objectIn(parent: JsonObject, field: string): JsonObject {
  const value = parent[field];
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** The list in a field; an empty one when there is none. */
export function listIn(parent: JsonObject, field: string): readonly JsonValue[] {
  const value = parent[field];
  return Array.isArray(value) ? value : [];
}

/**
 * Whether a signed time is recent.
 * @param seconds since the epoch, as the provider writes it
 * @param windowMs how long the provider may send the same request again: a copy of it does nothing, since events are
 * known by their ids, so that a window of hours costs no safety
 */
export function isRecent(seconds: string, nowMs: number, windowMs: number): boolean {
  if (!/^\d{1,12}$/.test(seconds)) return false;
  const age = nowMs - Number(seconds) * 1_000;
  return age <= windowMs && age >= -MAX_AHEAD_MS;
}

/** An event as a provider gives it: nothing in it is validated. */
export interface RawEvent {
  readonly type: FeedbackEvent['type'];
  readonly permanent?: boolean;
  readonly id?: unknown;
  readonly email: unknown;
  /** Where the run's public id may be: metadata first, then the `Message-ID`. */
  readonly run: readonly unknown[];
  readonly messageId: unknown;
  readonly at: unknown;
  readonly reason?: unknown;
}

/** The events as they are handed on. More than 1,000 are refused as a whole: no provider sends so many. */
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
