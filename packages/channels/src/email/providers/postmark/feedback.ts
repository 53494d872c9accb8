import { isJsonObject, type JsonObject } from '@postrider/domain';
import type { EmailFeedbackReader } from '../../feedback.ts';
import {
  headerOf,
  isSameText,
  malformed,
  NO_EVENTS,
  notGenuine,
  objectIn,
  parseJson,
  type RawEvent,
  readEvents,
} from '../http/feedback.ts';
import { RUN_METADATA } from '../http/message.ts';

/** Types of `Bounce` that make the address permanently unusable. */
const PERMANENT = new Set(['HardBounce', 'BadEmailAddress']);
/** Types of `Bounce` that are replies of a recipient, or of its machine, to a delivered mail. */
const NO_BOUNCE = new Set(['AddressChange', 'AutoResponder', 'ChallengeVerification', 'Subscribe']);

function bounceOf({ Type: type }: JsonObject): Pick<RawEvent, 'type' | 'permanent'> | null {
  if (typeof type !== 'string' || NO_BOUNCE.has(type)) return null;
  if (type === 'SpamComplaint') return { type: 'complained' };
  if (type === 'Unsubscribe') return { type: 'unsubscribed' };
  if (type === 'Transient') return { type: 'deferred' };
  return { type: 'bounced', permanent: PERMANENT.has(type) };
}

function readRecord(record: JsonObject): RawEvent | null {
  const run = [objectIn(record, 'Metadata')[RUN_METADATA]];
  const { MessageID: messageId } = record;
  switch (record.RecordType) {
    case 'Delivery':
      return {
        type: 'delivered',
        email: record.Recipient,
        run,
        messageId,
        at: record.DeliveredAt,
        reason: record.Details,
      };
    case 'Bounce':
    case 'SpamComplaint': {
      const kind = bounceOf(record);
      const id = typeof record.ID === 'number' ? `bounce:${record.ID}` : null;
      const reason = record.Details || record.Description;
      return kind && { ...kind, id, email: record.Email, run, messageId, at: record.BouncedAt, reason };
    }
    case 'SubscriptionChange': {
      // Postmark sends records of another type for the other reasons.
      const isUnsubscribed =
        record.SuppressSending === true &&
        record.SuppressionReason === 'ManualSuppression' &&
        record.Origin === 'Recipient';
      return isUnsubscribed
        ? { type: 'unsubscribed', email: record.Recipient, run, messageId, at: record.ChangedAt }
        : null;
    }
    default:
      return null;
  }
}

/**
 * Reads Postmark's webhooks. They are not signed: the basic authentication in the URL verifies them.
 * @see https://postmarkapp.com/developer/webhooks/webhooks-overview
 * @see https://postmarkapp.com/developer/webhooks/bounce-webhook
 */
export const postmarkFeedback: EmailFeedbackReader = {
  async read(request) {
    const { body, settings, credentials, nowMs } = request;
    const { webhook_username: username } = settings;
    const { webhook_password: password } = credentials;
    if (typeof username !== 'string' || !password) {
      return notGenuine('The sender has no webhook_username and webhook_password.');
    }
    const expected = Buffer.from(`${username}:${password}`).toString('base64');
    const [scheme = '', given = ''] = (headerOf(request, 'authorization') ?? '').split(' ');
    if (scheme.toLowerCase() !== 'basic' || !isSameText(given, expected)) {
      return notGenuine('The user name and password of the webhook are not those of the sender.');
    }
    const record = parseJson(body.toString());
    if (record === undefined || !isJsonObject(record)) return malformed('The body must be a JSON object.');
    const event = readRecord(record);
    return event ? readEvents([event], nowMs) : NO_EVENTS;
  },
};
