import { createHash } from 'node:crypto';
import {
  isJsonObject,
  isSameText,
  isWebhookSecret,
  type JsonObject,
  type JsonValue,
  onOneLine,
  signWebhook,
} from '@postrider/domain';
import type { ServiceRequest } from '../../http/service-client.ts';
import { checked } from '../../settings.ts';
import { isPermanentBounce, SUPPRESSED } from '../bounces.ts';
import {
  type EventType,
  type FeedbackRequest,
  feedbackText,
  headerOf,
  isRecent,
  listIn,
  MAX_FEEDBACK_EVENTS,
  malformed,
  NO_EVENTS,
  NOT_AN_OBJECT,
  notGenuine,
  objectIn,
  parseObject,
  type RawEvent,
  type ReadFeedback,
  readEvents,
  typeIn,
} from '../feedback.ts';
import type { EmailToSend } from '../provider.ts';
import { defineHttpProvider } from './http/provider.ts';
import {
  addressText,
  jsonRequest,
  type ProviderApi,
  providerUrl,
  RUN_METADATA,
  unlessEmpty,
} from './http/request.ts';

/**
 * The idempotency key, which Resend keeps for 24 hours: the run and a digest of the request. With the run alone,
 * Resend would refuse a retry after the operator corrected the channel, because the request differs.
 */
function idempotencyKey(runId: string, body: string): string {
  return `${runId}/${createHash('sha256').update(body).digest('base64url').slice(0, 22)}`;
}

/** Resend replaces the `Message-ID`, so feedback finds the run by the tag. */
function request({ settings, credentials, mail, ids }: EmailToSend): ServiceRequest | null {
  if (!credentials.api_key) return null;
  const { from, to, cc, bcc, replyTo, subject, text, html, headers, attachments } = mail;
  const body = JSON.stringify({
    from: addressText(from),
    to: [addressText(to)],
    cc: unlessEmpty(cc),
    bcc: unlessEmpty(bcc),
    reply_to: replyTo ?? undefined,
    subject: onOneLine(subject),
    text: text ?? undefined,
    html: html ?? undefined,
    headers,
    tags: [{ name: RUN_METADATA, value: ids.run }],
    attachments: unlessEmpty(
      attachments.map(({ filename, contentType, content, cid }) => ({
        filename,
        content_type: contentType,
        content: content.toString('base64'),
        content_id: cid,
      })),
    ),
  });
  return jsonRequest(providerUrl(settings.endpoint, 'https://api.resend.com', '/emails'), body, {
    // Resend refuses requests without a user agent.
    'user-agent': 'Postrider/1.0',
    authorization: `Bearer ${credentials.api_key}`,
    'idempotency-key': idempotencyKey(ids.run, body),
  });
}

/**
 * Resend's API. A retry after an unknown outcome uses the same key, so the mail is sent once. While the first request
 * is in progress Resend says so, and its outcome is unknown.
 * @see https://resend.com/docs/api-reference/errors
 * @see https://resend.com/docs/dashboard/emails/idempotency-keys
 */
const RESEND_API: ProviderApi = {
  request,
  messageIdOf: ({ body }) => (typeof body.id === 'string' ? body.id : null),
  errorOf: ({ body }) => (typeof body.name === 'string' ? body.name : null),
  errors: {
    missing_api_key: 'account',
    restricted_api_key: 'account',
    invalid_api_key: 'account',
    invalid_access: 'account',
    invalid_from_address: 'account',
    invalid_region: 'account',
    not_found: 'account',
    method_not_allowed: 'account',
    concurrent_idempotent_requests: 'unknown',
    invalid_idempotent_request: 'unknown',
    daily_quota_exceeded: 'later',
    monthly_quota_exceeded: 'later',
    rate_limit_exceeded: 'later',
    security_error: 'message',
    application_error: 'unknown',
    internal_server_error: 'unknown',
  },
  statuses: {},
};

/** The tolerance of Standard Webhooks. Each repetition is signed with its own time. */
const WINDOW_MS = 5 * 60_000;
const MAX_SIGNATURES = 10;

/** Events of a type that does not depend on their other fields. */
const TYPES: ReadonlyMap<unknown, RawEvent['type']> = new Map([
  ['email.delivered', 'delivered'],
  ['email.delivery_delayed', 'deferred'],
  ['email.failed', 'bounced'],
  ['email.complained', 'complained'],
]);

function typeOf(type: JsonValue | undefined, data: JsonObject): EventType | null {
  if (type === 'email.suppressed') return { type: 'bounced', permanent: true };
  if (type !== 'email.bounced') return typeIn(TYPES, type);
  // Resend means "permanently rejected" unless the event says otherwise.
  const { type: bounce = 'Permanent', subType, message, diagnosticCode } = objectIn(data, 'bounce');
  const texts = [...[diagnosticCode].flat(), message];
  const isInvalid = SUPPRESSED.has(feedbackText(subType) ?? '') || null;
  const permanent = isPermanentBounce({ texts, isInvalid, otherwise: true });
  return { type: 'bounced', permanent: bounce === 'Permanent' && permanent };
}

/** The tag with the run. Webhooks have tags as an object, older ones as a list. */
function runTag(data: JsonObject): unknown {
  const inList = listIn(data, 'tags').find((tag) => isJsonObject(tag) && tag.name === RUN_METADATA);
  return inList !== undefined && isJsonObject(inList) ? inList.value : objectIn(data, 'tags')[RUN_METADATA];
}

/** Verifies a signature of Standard Webhooks 1.0, with the header names that Resend uses (`svix-…`). */
function isGenuine(request: FeedbackRequest, secret: string): boolean {
  const of = (name: string) =>
    headerOf(request, `svix-${name}`) ?? headerOf(request, `webhook-${name}`) ?? '';
  const [id, timestamp, signatures] = [of('id'), of('timestamp'), of('signature')];
  if (!/^[\w-]{1,200}$/.test(id) || !isRecent(timestamp, request.nowMs, WINDOW_MS)) return false;
  let expected: string;
  try {
    const signed = { secrets: [secret], id, timestamp: Number(timestamp), body: request.body.toString() };
    expected = signWebhook(signed)['webhook-signature'];
  } catch {
    // The stored secret is unreadable, although it was validated.
    return false;
  }
  return signatures.split(' ', MAX_SIGNATURES).some((signature) => isSameText(signature, expected));
}

/**
 * Reads Resend's webhooks.
 * @see https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests
 * @see https://resend.com/docs/dashboard/webhooks/event-types
 */
const resendFeedback: ReadFeedback = async (request) => {
  const { body, credentials, nowMs } = request;
  const { webhook_secret: secret } = credentials;
  if (!secret) return notGenuine('The sender has no webhook_secret.');
  if (!isGenuine(request, secret))
    return notGenuine('The signature does not match the request, or is not recent.');
  const posted = parseObject(body);
  if (!posted) return NOT_AN_OBJECT;
  const data = objectIn(posted, 'data');
  const kind = typeOf(posted.type, data);
  if (!kind) return NO_EVENTS;
  const recipients = listIn(data, 'to');
  if (recipients.length > MAX_FEEDBACK_EVENTS) return malformed('The event has too many recipients.');
  const { reason, message } = { ...objectIn(data, 'failed'), ...objectIn(data, 'bounce') };
  return readEvents(
    recipients.map((email) => ({
      ...kind,
      email,
      run: [runTag(data)],
      messageId: data.email_id,
      at: posted.created_at,
      reason: message ?? reason,
    })),
    nowMs,
  );
};

/**
 * Sends through Resend's Emails API.
 * @see https://resend.com/docs/api-reference/emails/send-email
 */
export const resendProvider = defineHttpProvider({
  name: 'resend',
  label: 'Resend',
  settings: {},
  credentials: {
    api_key: {
      label: 'API key',
      description: 'An API key with sending access.',
      required: true,
      isSent: true,
    },
    webhook_secret: {
      label: 'signing secret of the webhook',
      description: 'The secret with which Resend signs webhooks. Without it, feedback is refused.',
      isSent: false,
      issuesOf: (value) =>
        checked((text) => (isWebhookSecret(text) ? null : 'must be whsec_ followed by base64'))(
          '/webhook_secret',
          value,
        ),
    },
  },
  api: RESEND_API,
  feedback: resendFeedback,
});
