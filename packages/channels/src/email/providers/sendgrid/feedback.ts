import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@postrider/domain';
import { type EmailFeedbackReader, MAX_FEEDBACK_EVENTS } from '../../feedback.ts';
import {
  headerOf,
  isRecent,
  malformed,
  notGenuine,
  parseJson,
  type RawEvent,
  readEvents,
} from '../http/feedback.ts';
import { RUN_METADATA } from '../http/message.ts';

/** SendGrid repeats a batch for 24 hours. */
const WINDOW_MS = 25 * 3_600_000;
/** Reasons of `dropped` that are about the address, not about this message or the account. */
const DROPPED_ADDRESS = /^(?:bounced address|invalid)$/i;

function readKey(settings: JsonObject): KeyObject | null {
  try {
    const der = Buffer.from(String(settings.webhook_public_key ?? ''), 'base64');
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

function typeOf({ event, type, reason }: JsonObject): Pick<RawEvent, 'type' | 'permanent'> | null {
  switch (event) {
    case 'delivered':
      return { type: 'delivered' };
    case 'deferred':
      return { type: 'deferred' };
    // A block refuses this message only. The address may accept the next one.
    case 'bounce':
      return { type: 'bounced', permanent: type !== 'blocked' };
    case 'dropped':
      return { type: 'bounced', permanent: DROPPED_ADDRESS.test(String(reason)) };
    case 'spamreport':
      return { type: 'complained' };
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { type: 'unsubscribed' };
    default:
      return null;
  }
}

/** The value of `X-Message-Id`. Events append the servers that handled the message. */
const messageIdOf = (id: unknown) =>
  typeof id === 'string' ? id.replace(/\.(?:filter|recvd|ismtpd)[\s\S]*$/, '') : null;

function readEvent(event: JsonObject): RawEvent[] {
  const kind = typeOf(event);
  if (!kind) return [];
  return [
    {
      ...kind,
      id: event.sg_event_id,
      email: event.email,
      run: [event[RUN_METADATA], event['smtp-id']],
      messageId: messageIdOf(event.sg_message_id),
      at: event.timestamp,
      reason: event.reason ?? event.response,
    },
  ];
}

/**
 * Reads SendGrid's signed event webhook: ECDSA over the time and the body, verified with the key in the settings.
 * @see
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
 */
export const sendgridFeedback: EmailFeedbackReader = {
  async read(request) {
    const { body, settings, nowMs } = request;
    const key = readKey(settings);
    if (!key) return notGenuine('The sender has no webhook_public_key.');
    const signature = headerOf(request, 'x-twilio-email-event-webhook-signature');
    const timestamp = headerOf(request, 'x-twilio-email-event-webhook-timestamp');
    if (!signature || !timestamp)
      return notGenuine('The request is not signed: turn on the signed event webhook.');
    const signed = Buffer.concat([Buffer.from(timestamp), body]);
    if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) {
      return notGenuine('The signature is not that of the request.');
    }
    if (!isRecent(timestamp, nowMs, WINDOW_MS)) return notGenuine('The time of the signature is not recent.');
    const events = parseJson(body.toString());
    if (!Array.isArray(events)) return malformed('The body must be a list of events.');
    if (events.length > MAX_FEEDBACK_EVENTS) {
      return malformed(`A request may have at most ${MAX_FEEDBACK_EVENTS} events.`);
    }
    return readEvents(
      events.flatMap((event) => (isJsonObject(event) ? readEvent(event) : [])),
      nowMs,
    );
  },
};
