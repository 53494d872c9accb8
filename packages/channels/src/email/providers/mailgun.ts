import { createHmac } from 'node:crypto';
import { isSameText, type JsonObject } from '@postrider/domain';
import type { ServiceRequest } from '../../http/service-client.ts';
import { isPermanentBounce } from '../bounces.ts';
import {
  type EventType,
  feedbackText,
  isRecent,
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
import { type ProviderApi, providerUrl, RUN_METADATA, type ToMime } from './http/request.ts';

const HOSTS: Readonly<Record<string, string>> = {
  us: 'https://api.mailgun.net',
  eu: 'https://api.eu.mailgun.net',
};

/** The message is MIME, so Mailgun keeps its `Message-ID`. Every event returns the variable. */
async function request(
  { settings, credentials, ids }: EmailToSend,
  toMime: ToMime,
): Promise<ServiceRequest | null> {
  const { domain, region, endpoint } = settings;
  const publicBase = HOSTS[String(region ?? 'us')];
  if (publicBase === undefined || typeof domain !== 'string' || !credentials.api_key) return null;
  const { mime, recipients } = await toMime();
  const form = new FormData();
  for (const recipient of recipients) form.append('to', recipient);
  form.append(`v:${RUN_METADATA}`, ids.run);
  form.append('message', new Blob([new Uint8Array(mime)]), 'message.mime');
  const encoded = new Response(form);
  return {
    url: providerUrl(endpoint, publicBase, `/v3/${encodeURIComponent(domain)}/messages.mime`),
    headers: {
      'content-type': String(encoded.headers.get('content-type')),
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`api:${credentials.api_key}`).toString('base64')}`,
    },
    body: await encoded.text(),
  };
}

/**
 * Mailgun's API. Its errors have a text but no name, so the status decides. 404 is a domain that the account does not
 * have, 420 one that may not send. The documentation says nothing about a 500 except to try again.
 * @see https://documentation.mailgun.com/docs/mailgun/quickstart-guide/responses
 */
const MAILGUN_API: ProviderApi = {
  request,
  messageIdOf: ({ body }) => (typeof body.id === 'string' ? body.id : null),
  errorOf: () => null,
  errors: {},
  statuses: { 404: 'account', 420: 'account', 500: 'unknown' },
};

/** Mailgun repeats an event for 8 hours, always with its first signature. */
const WINDOW_MS = 9 * 3_600_000;
/** Reasons of Mailgun's own, with what they say about the address. Others are replies of the receiving server. */
const REASONS: Readonly<Record<string, boolean>> = {
  'suppress-bounce': true,
  old: false,
  espblock: false,
  'suppress-complaint': false,
  'suppress-unsubscribe': false,
};

/** Events of a type that does not depend on their other fields. */
const TYPES: ReadonlyMap<unknown, RawEvent['type']> = new Map([
  ['delivered', 'delivered'],
  ['complained', 'complained'],
  ['unsubscribed', 'unsubscribed'],
]);

function typeOf({ event, severity, reason, ...data }: JsonObject): EventType | null {
  if (event !== 'failed') return typeIn(TYPES, event);
  if (severity !== 'permanent') return { type: 'deferred' };
  const { message, description, 'enhanced-code': code } = objectIn(data, 'delivery-status');
  const isInvalid = REASONS[feedbackText(reason) ?? ''] ?? null;
  return {
    type: 'bounced',
    permanent: isPermanentBounce({ texts: [code, message, description], isInvalid }),
  };
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
const mailgunFeedback: ReadFeedback = async ({ body, credentials, nowMs }) => {
  const { webhook_signing_key: key } = credentials;
  if (!key) return notGenuine('The sender has no webhook_signing_key.');
  const posted = parseObject(body);
  if (!posted) return NOT_AN_OBJECT;
  const { timestamp, token, signature } = objectIn(posted, 'signature');
  if (typeof timestamp !== 'string' || typeof token !== 'string' || typeof signature !== 'string') {
    return notGenuine('The request is not signed.');
  }
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');
  if (!isSameText(signature, expected)) return notGenuine('The signature does not match the request.');
  if (!isRecent(timestamp, nowMs, WINDOW_MS)) return notGenuine('The time of the signature is not recent.');
  const event = readEvent(objectIn(posted, 'event-data'));
  return event ? readEvents([event], nowMs) : NO_EVENTS;
};

/**
 * Sends through Mailgun's Messages API, as MIME.
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 */
export const mailgunProvider = defineHttpProvider({
  name: 'mailgun',
  label: 'Mailgun',
  settings: {
    domain: {
      description: 'The sending domain.',
      isRequired: true,
      pattern: /^(?!.{254})(?:[0-9a-z](?:[0-9a-z-]{0,61}[0-9a-z])?\.)+[0-9a-z-]{2,63}$/i,
      must: 'must be a domain, such as mg.example.com',
    },
    region: { description: 'The region of the account.', choices: ['us', 'eu'], default: 'us' },
  },
  credentials: {
    api_key: {
      label: 'API key',
      description: 'The sending key of the domain, or an API key.',
      required: true,
      isSent: true,
    },
    webhook_signing_key: {
      label: 'HTTP webhook signing key',
      description: 'The key with which Mailgun signs webhooks. Without it, feedback is refused.',
      isSent: false,
    },
  },
  api: MAILGUN_API,
  // One event; its signature is in the body.
  maxFeedbackBytes: 128 * 1024,
  feedback: mailgunFeedback,
});
