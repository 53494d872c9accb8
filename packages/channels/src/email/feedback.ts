import { createHash } from 'node:crypto';
import {
  type FeedbackEvent,
  isJsonObject,
  isNestedDeeper,
  type JsonObject,
  type JsonValue,
} from '@postrider/domain';

/**
 * The events of a verified request, possibly none, or the reason for refusing the request. 503 asks the provider to
 * try again, because the request cannot be verified now.
 */
export type FeedbackReading =
  | { readonly ok: true; readonly events: readonly FeedbackEvent[] }
  | { readonly ok: false; readonly status: 400 | 401 | 503; readonly message: string };

/**
 * Fetches a document of a provider, such as a certificate. It follows no redirect, reads at most 16 KiB, ends within
 * 5 seconds and connects only to allowed addresses. The caller must check the host first.
 * @returns the body of a 200 response, or null
 */
export type FetchDocument = (url: URL) => Promise<string | null>;

/** A request to the feedback endpoint, with the settings and credentials that verify it. */
export interface FeedbackRequest {
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The body as received: signatures cover these bytes. */
  readonly body: Buffer;
  /** The account's stored settings of this provider. */
  readonly settings: JsonObject;
  /** The account's decrypted credentials, by the provider's field names. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The database's wall clock, in milliseconds. */
  readonly nowMs: number;
  /** The run's public id in a token of a return path; null for any other text. */
  readonly runIdOfToken: (token: string) => Promise<string | null>;
  readonly fetchDocument: FetchDocument;
}

/**
 * Verifies and parses the feedback of one provider. It does not look up runs: ids in events may belong to another
 * tenant. Returns expected failures as results; rejects only for bugs.
 */
export type ReadFeedback = (request: FeedbackRequest) => Promise<FeedbackReading>;

/** The most events in one request. Providers send up to 1,000. */
export const MAX_FEEDBACK_EVENTS = 1_000;
const MAX_REASON_LENGTH = 500;
const MAX_ID_LENGTH = 200;
const RUN_ID = /run_[0-9a-hjkmnp-tv-z]{26}/;

/** The reason as stored: one line of at most 500 characters without control characters; null if nothing is left. */
export function feedbackReason(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .slice(0, MAX_REASON_LENGTH * 4)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  if (line === '') return null;
  return line.slice(0, MAX_REASON_LENGTH).replace(/\p{Surrogate}/gu, '');
}

/** The run's public id in metadata values or in a `Message-ID`; null if there is none. */
export function feedbackRunId(...values: readonly unknown[]): string | null {
  for (const value of values) {
    const found = typeof value === 'string' ? RUN_ID.exec(value.slice(0, MAX_REASON_LENGTH)) : null;
    if (found) return found[0];
  }
  return null;
}

/**
 * The event's id. If the provider gives none, or one that is too long, a digest of the parts that identify the event.
 */
export function feedbackEventId(own: unknown, ...parts: readonly unknown[]): string {
  if (typeof own === 'string' && own !== '' && own.length <= MAX_ID_LENGTH) return own;
  const digest = createHash('sha256').update(JSON.stringify([own, ...parts]));
  return `sha256:${digest.digest('base64url')}`;
}

/** A short text such as an address or a message id; null for anything else. */
export function feedbackText(value: unknown, maxLength = 320): string | null {
  return typeof value === 'string' && value !== '' && value.length <= maxLength && !value.includes('\0')
    ? value
    : null;
}

/**
 * Parses a time in ISO 8601, or in seconds or milliseconds since the epoch. Returns the fallback if the value is not
 * a time or is more than a day ahead.
 */
export function feedbackTime(value: unknown, nowMs: number): Date {
  const isSeconds = typeof value === 'number' && value < 100_000_000_000;
  const given =
    typeof value === 'number'
      ? value * (isSeconds ? 1_000 : 1)
      : Date.parse(typeof value === 'string' ? value : '');
  const isPlausible = Number.isFinite(given) && given > 0 && given < nowMs + 86_400_000;
  return new Date(isPlausible ? given : nowMs);
}

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

/** Like {@link parseBounded}, and undefined unless it is an object. */
export function parseObject(json: Buffer): JsonObject | undefined {
  const value = parseBounded(json);
  return isJsonObject(value) ? value : undefined;
}

export const NOT_AN_OBJECT = malformed('The body must be a JSON object.');

/** The object in a field, or an empty object. */
export function objectIn(parent: JsonObject, field: string): JsonObject {
  const value = parent[field];
  return isJsonObject(value) ? value : {};
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
