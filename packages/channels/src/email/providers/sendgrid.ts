import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, mediaTypeOf, onOneLine } from '@postrider/domain';
import type { ServiceRequest } from '../../http/service-client.ts';
import { isPermanentBounce } from '../bounces.ts';
import {
  type EventType,
  feedbackText,
  headerOf,
  isRecent,
  MAX_FEEDBACK_EVENTS,
  malformed,
  notGenuine,
  parseBounded,
  type RawEvent,
  type ReadFeedback,
  readEvents,
  typeIn,
} from '../feedback.ts';
import type { EmailMessage, EmailToSend } from '../provider.ts';
import { defineHttpProvider } from './http/provider.ts';
import { jsonRequest, type ProviderApi, providerUrl, RUN_METADATA, unlessEmpty } from './http/request.ts';

const HOSTS: Readonly<Record<string, string>> = {
  global: 'https://api.sendgrid.com',
  eu: 'https://api.eu.sendgrid.com',
};

const address = ({ email, name }: EmailMessage['from']) => {
  const shown = onOneLine(name ?? '');
  return shown === '' ? { email } : { email, name: shown };
};

/** SendGrid refuses parameters of a file's type, except the `method` of a calendar. */
function fileTypeOf(contentType: string): string {
  const [method = ''] = /; *method=[\w-]+/i.exec(contentType) ?? [];
  return `${mediaTypeOf(contentType)}${method}`;
}

/** Every event returns the custom argument. SendGrid keeps the `Message-ID`. */
function request({ settings, credentials, mail, ids }: EmailToSend): ServiceRequest | null {
  const publicBase = HOSTS[String(settings.region ?? 'global')];
  if (publicBase === undefined || !credentials.api_key) return null;
  const { from, to, cc, bcc, replyTo, subject, text, html, headers, messageId, attachments } = mail;
  const only = (email: string) => ({ email });
  const body = {
    personalizations: [
      {
        to: [address(to)],
        cc: unlessEmpty(cc.map(only)),
        bcc: unlessEmpty(bcc.map(only)),
        custom_args: { [RUN_METADATA]: ids.run },
      },
    ],
    from: address(from),
    reply_to: replyTo === null ? undefined : only(replyTo),
    subject: onOneLine(subject),
    // The API requires plain text before HTML.
    content: [
      ...(text === null ? [] : [{ type: 'text/plain', value: text }]),
      ...(html === null ? [] : [{ type: 'text/html', value: html }]),
    ],
    headers: { ...headers, 'Message-ID': messageId },
    attachments: unlessEmpty(
      attachments.map(({ filename, contentType, content, cid }) => ({
        filename,
        type: fileTypeOf(contentType),
        content: content.toString('base64'),
        disposition: cid === undefined ? 'attachment' : 'inline',
        content_id: cid,
      })),
    ),
  };
  return jsonRequest(providerUrl(settings.endpoint, publicBase, '/v3/mail/send'), JSON.stringify(body), {
    authorization: `Bearer ${credentials.api_key}`,
  });
}

/**
 * SendGrid's API. Its errors have a field and a text but no name, so the status decides. 401 is also returned to an
 * account without credits, 403 for an address that is not a verified sender, and 503 when the API is not available.
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/errors
 * @see https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/rate-limits
 */
const SENDGRID_API: ProviderApi = {
  request,
  messageIdOf: ({ header }) => header('x-message-id'),
  errorOf({ body: { errors } }) {
    const [first = null] = Array.isArray(errors) ? errors : [];
    return isJsonObject(first) && typeof first.field === 'string' ? first.field : null;
  },
  errors: {},
  statuses: { 500: 'unknown', 503: 'later' },
  retryAfterMsOf({ header }, nowMs) {
    const resetsAt = header('x-ratelimit-reset') ?? '';
    return /^\d{1,12}$/.test(resetsAt) ? Math.max(0, Number(resetsAt) * 1_000 - nowMs) : null;
  },
};

/** SendGrid repeats a batch for 24 hours. */
const WINDOW_MS = 25 * 3_600_000;
/** SendGrid's class of bounces whose address is not valid, and the one without a decision. Others are not about the address. */
const INVALID_CLASS = 'Invalid Address';
const NO_CLASS = 'Unclassified';
/** Reasons of `dropped` that are about the address, not about this message or the account. */
const DROPPED_ADDRESS = /^(?:bounced address|invalid)$/i;

function readKey(base64: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** Events of a type that does not depend on their other fields. */
const TYPES: ReadonlyMap<unknown, RawEvent['type']> = new Map([
  ['delivered', 'delivered'],
  ['deferred', 'deferred'],
  ['spamreport', 'complained'],
  ['unsubscribe', 'unsubscribed'],
  ['group_unsubscribe', 'unsubscribed'],
]);

function typeOf({ event, type, reason, status, bounce_classification: given }: JsonObject): EventType | null {
  if (event === 'dropped') {
    return { type: 'bounced', permanent: DROPPED_ADDRESS.test(feedbackText(reason) ?? '') };
  }
  if (event !== 'bounce') return typeIn(TYPES, event);
  const ownClass = feedbackText(given) ?? NO_CLASS;
  const isInvalid = ownClass === NO_CLASS ? null : ownClass === INVALID_CLASS;
  const permanent = isPermanentBounce({ texts: [status, reason], isInvalid });
  // A block refuses this message only. The address may accept the next one.
  return { type: 'bounced', permanent: type !== 'blocked' && permanent };
}

/** The value of `X-Message-Id`. Events append the servers that handled the message. */
const messageIdOf = (id: unknown) =>
  typeof id === 'string' ? id.replace(/\.(?:filter|recvd|ismtpd)[\s\S]*$/, '') : null;

function readEvent(event: JsonObject): RawEvent[] {
  const kind = typeOf(event);
  if (!kind) return [];
  const { sg_event_id: id, email, timestamp: at, [RUN_METADATA]: run, 'smtp-id': mailId } = event;
  const messageId = messageIdOf(event.sg_message_id);
  return [{ ...kind, id, email, run: [run, mailId], messageId, at, reason: event.reason ?? event.response }];
}

/**
 * Reads SendGrid's signed event webhook: ECDSA over the time and the body, verified with the key in the settings.
 * @see
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
 */
const sendgridFeedback: ReadFeedback = async (request) => {
  const { body, settings, nowMs } = request;
  const key = readKey(String(settings.webhook_public_key ?? ''));
  if (!key) return notGenuine('The sender has no webhook_public_key.');
  const signature = headerOf(request, 'x-twilio-email-event-webhook-signature');
  const timestamp = headerOf(request, 'x-twilio-email-event-webhook-timestamp');
  if (!signature || !timestamp)
    return notGenuine('The request is not signed: turn on the signed event webhook.');
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) {
    return notGenuine('The signature does not match the request.');
  }
  if (!isRecent(timestamp, nowMs, WINDOW_MS)) return notGenuine('The time of the signature is not recent.');
  const events = parseBounded(body);
  if (!Array.isArray(events)) return malformed('The body must be a list of events.');
  if (events.length > MAX_FEEDBACK_EVENTS) {
    return malformed(`A request may have at most ${MAX_FEEDBACK_EVENTS} events.`);
  }
  return readEvents(
    events.flatMap((event) => (isJsonObject(event) ? readEvent(event) : [])),
    nowMs,
  );
};

const NOT_A_KEY = 'must be the verification key that SendGrid shows: base64 of a P-256 public key';

/** The issue of a verification key that cannot be read, or null. */
function problemOfKey(value: string): string | null {
  return readKey(value)?.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? null : NOT_A_KEY;
}

/**
 * Sends through Twilio SendGrid's Web API v3.
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 */
export const sendgridProvider = defineHttpProvider({
  name: 'sendgrid',
  label: 'SendGrid',
  settings: {
    region: {
      description: 'The region of the account: `eu` for a regional subuser.',
      choices: ['global', 'eu'],
      default: 'global',
    },
    webhook_public_key: {
      description: 'The verification key of the signed event webhook. Without it, feedback is refused.',
      problemOf: problemOfKey,
    },
  },
  credentials: {
    api_key: {
      label: 'API key',
      description: 'An API key with the permission Mail Send.',
      required: true,
      isSent: true,
    },
  },
  api: SENDGRID_API,
  feedback: sendgridFeedback,
});
