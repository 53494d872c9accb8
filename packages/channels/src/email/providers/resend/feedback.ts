import { isJsonObject, type JsonObject, type JsonValue, signWebhook } from '@postrider/domain';
import { type EmailFeedbackReader, type FeedbackRequest, MAX_FEEDBACK_EVENTS } from '../../feedback.ts';
import {
  headerOf,
  isRecent,
  isSameText,
  listIn,
  malformed,
  NO_EVENTS,
  notGenuine,
  objectIn,
  parseJson,
  type RawEvent,
  readEvents,
} from '../http/feedback.ts';
import { RUN_METADATA } from '../http/message.ts';

/** The tolerance of Standard Webhooks. Each repetition is signed with its own time. */
const WINDOW_MS = 5 * 60_000;
const MAX_SIGNATURES = 10;

function typeOf(type: JsonValue | undefined, data: JsonObject): Pick<RawEvent, 'type' | 'permanent'> | null {
  switch (type) {
    case 'email.delivered':
      return { type: 'delivered' };
    case 'email.delivery_delayed':
      return { type: 'deferred' };
    // Resend means "permanently rejected" unless the event says otherwise.
    case 'email.bounced':
      return { type: 'bounced', permanent: (objectIn(data, 'bounce').type ?? 'Permanent') === 'Permanent' };
    case 'email.suppressed':
      return { type: 'bounced', permanent: true };
    case 'email.failed':
      return { type: 'bounced' };
    case 'email.complained':
      return { type: 'complained' };
    default:
      return null;
  }
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
export const resendFeedback: EmailFeedbackReader = {
  async read(request) {
    const { body, credentials, nowMs } = request;
    const { webhook_secret: secret } = credentials;
    if (!secret) return notGenuine('The sender has no webhook_secret.');
    if (!isGenuine(request, secret))
      return notGenuine('The signature is not that of the request, or not recent.');
    const posted = parseJson(body.toString());
    if (posted === undefined || !isJsonObject(posted)) return malformed('The body must be a JSON object.');
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
  },
};
