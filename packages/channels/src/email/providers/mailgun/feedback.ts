import { createHmac } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@postrider/domain';
import type { EmailFeedbackReader } from '../../feedback.ts';
import {
  isRecent,
  isSameText,
  malformed,
  NO_EVENTS,
  notGenuine,
  objectIn,
  parseUnverified,
  type RawEvent,
  readEvents,
} from '../http/feedback.ts';
import { RUN_METADATA } from '../http/message.ts';

/** Mailgun repeats an event for 8 hours, always with its first signature. */
const WINDOW_MS = 9 * 3_600_000;
/** Permanent failures that are not about the address: Mailgun gave up, or the recipient had complained before. */
const NOT_ABOUT_ADDRESS = new Set(['old', 'espblock', 'suppress-complaint', 'suppress-unsubscribe']);

function typeOf({ event, severity, reason }: JsonObject): Pick<RawEvent, 'type' | 'permanent'> | null {
  switch (event) {
    case 'delivered':
      return { type: 'delivered' };
    case 'failed':
      if (severity !== 'permanent') return { type: 'deferred' };
      return { type: 'bounced', permanent: !NOT_ABOUT_ADDRESS.has(String(reason)) };
    case 'complained':
      return { type: 'complained' };
    case 'unsubscribed':
      return { type: 'unsubscribed' };
    default:
      return null;
  }
}

function readEvent(data: JsonObject): RawEvent | null {
  const kind = typeOf(data);
  if (!kind) return null;
  const status = objectIn(data, 'delivery-status');
  // Without the angle brackets that the send response has.
  const id = objectIn(objectIn(data, 'message'), 'headers')['message-id'];
  return {
    ...kind,
    id: data.id,
    email: data.recipient,
    run: [objectIn(data, 'user-variables')[RUN_METADATA], id],
    messageId: typeof id === 'string' && !id.startsWith('<') ? `<${id}>` : id,
    at: data.timestamp,
    reason: status.message || status.description || data.reason,
  };
}

/**
 * Reads Mailgun's webhooks. The signature covers a time and a token but not the event, so somebody who intercepts a
 * request can forge events until the time is too old.
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads
 */
export const mailgunFeedback: EmailFeedbackReader = {
  async read({ body, credentials, nowMs }) {
    const { webhook_signing_key: key } = credentials;
    if (!key) return notGenuine('The sender has no webhook_signing_key.');
    const posted = parseUnverified(body);
    if (posted === undefined || !isJsonObject(posted)) return malformed('The body must be a JSON object.');
    const { timestamp, token, signature } = objectIn(posted, 'signature');
    if (typeof timestamp !== 'string' || typeof token !== 'string' || typeof signature !== 'string') {
      return notGenuine('The request is not signed.');
    }
    const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');
    if (!isSameText(signature, expected)) return notGenuine('The signature is not that of the request.');
    if (!isRecent(timestamp, nowMs, WINDOW_MS)) return notGenuine('The time of the signature is not recent.');
    const event = readEvent(objectIn(posted, 'event-data'));
    return event ? readEvents([event], nowMs) : NO_EVENTS;
  },
};
