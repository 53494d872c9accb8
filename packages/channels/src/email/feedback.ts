import { createHash } from 'node:crypto';
import type { JsonObject } from '@postrider/domain';

/**
 * What a provider can say of a mail after it took it: `deferred` is tried again by the provider, the others are the end
 * of the way.
 */
export const FEEDBACK_TYPES = ['delivered', 'bounced', 'complained', 'deferred', 'unsubscribed'] as const;
export type FeedbackType = (typeof FEEDBACK_TYPES)[number];

/** What a provider reported of one message and one recipient. */
export interface FeedbackEvent {
  /** The provider's id of the event or a digest of it, at most 200 characters: a repeated one is known by it. */
  readonly id: string;
  readonly type: FeedbackType;
  /** Whether the address is to be written to no more: a bounce that no later try can change. */
  readonly permanent: boolean;
  /** The recipient, as the provider writes it: not validated. */
  readonly email: string | null;
  /** The run's public id, from the metadata of the message or its `Message-ID`; well formed, of any tenant. */
  readonly runId: string | null;
  readonly providerMessageId: string | null;
  readonly at: Date;
  /** One line of at most 500 characters. */
  readonly reason: string | null;
}

/**
 * The events of a genuine request, which may be none; or why the request is refused. With 503 the provider shall try
 * again: it could not be verified now.
 */
export type FeedbackReading =
  | { readonly ok: true; readonly events: readonly FeedbackEvent[] }
  | { readonly ok: false; readonly status: 400 | 401 | 503; readonly message: string };

/**
 * Fetches a document of a provider, such as a certificate. Follows no redirect, reads at most 16 KiB, ends within 5
 * seconds, and connects only to allowed addresses. The reader decides on the host before it calls.
 * @returns the body of a 200; null for anything else
 */
export type FetchDocument = (url: URL) => Promise<string | null>;

/** A request to the feedback endpoint, and the parts of the channel that verify it. */
export interface FeedbackRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** As it was received: signatures are over these bytes. */
  readonly body: Buffer;
  /** The sender's settings of this provider, as they are stored. */
  readonly settings: JsonObject;
  /** The sender's opened credentials, by the name of the provider's field. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Wall clock in milliseconds, by the database. */
  readonly nowMs: number;
  readonly fetchDocument: FetchDocument;
}

/** Verifies and reads what one provider posts. It decides nothing about runs: ids in events may be of another tenant. */
export interface EmailFeedbackReader {
  /** Expected failures are results; throws only for bugs. */
  read(request: FeedbackRequest): Promise<FeedbackReading>;
}

/** The most events that one request may carry; providers send up to 1,000. */
export const MAX_FEEDBACK_EVENTS = 1_000;
const MAX_REASON_LENGTH = 500;
const MAX_ID_LENGTH = 200;
const RUN_ID = /run_[0-9a-hjkmnp-tv-z]{26}/;

/** The reason as it is kept: one line, without control characters, of at most 500 characters; null when nothing is left. */
export function feedbackReason(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .slice(0, MAX_REASON_LENGTH * 4)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  if (line === '') return null;
  return line.slice(0, MAX_REASON_LENGTH).replace(/\p{Surrogate}/gu, '');
}

/** The run's public id in a metadata value or a `Message-ID`; null when there is none. */
export function feedbackRunId(...values: readonly unknown[]): string | null {
  for (const value of values) {
    const found = typeof value === 'string' ? RUN_ID.exec(value.slice(0, MAX_REASON_LENGTH)) : null;
    if (found) return found[0];
  }
  return null;
}

/** The event's own id, or a digest of what tells it apart where the provider gives none or one that is too long. */
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

/** A time in ISO 8601, seconds or milliseconds since the epoch; the fallback when it is none, or more than a day ahead. */
export function feedbackTime(value: unknown, nowMs: number): Date {
  const isSeconds = typeof value === 'number' && value < 100_000_000_000;
  const given =
    typeof value === 'number'
      ? value * (isSeconds ? 1_000 : 1)
      : Date.parse(typeof value === 'string' ? value : '');
  const isPlausible = Number.isFinite(given) && given > 0 && given < nowMs + 86_400_000;
  return new Date(isPlausible ? given : nowMs);
}
