import { isBareEmailAddress, isSameText, type JsonObject, onOneLine } from '@postrider/domain';
import type { ServiceAnswer, ServiceRequest } from '../../http/service-client.ts';
import { isPermanentBounce } from '../bounces.ts';
import type { ReadFeedback } from '../feedback.ts';
import {
  headerOf,
  NO_EVENTS,
  NOT_AN_OBJECT,
  notGenuine,
  objectIn,
  parseObject,
  type RawEvent,
  readEvents,
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

/** `X-PM-KeepID` makes Postmark keep the `Message-ID`, which it would replace otherwise. */
function request({ settings, credentials, mail, ids }: EmailToSend): ServiceRequest | null {
  const { server_token: token } = credentials;
  if (!token) return null;
  const { from, to, cc, bcc, replyTo, subject, text, html, messageId, attachments } = mail;
  const headers = { ...mail.headers, 'Message-ID': messageId, 'X-PM-KeepID': 'true' };
  const body = {
    From: addressText(from),
    To: addressText(to),
    Cc: unlessEmpty(cc)?.join(', '),
    Bcc: unlessEmpty(bcc)?.join(', '),
    ReplyTo: replyTo ?? undefined,
    Subject: onOneLine(subject),
    TextBody: text ?? undefined,
    HtmlBody: html ?? undefined,
    MessageStream: typeof settings.message_stream === 'string' ? settings.message_stream : 'outbound',
    Metadata: { [RUN_METADATA]: ids.run },
    Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
    Attachments: unlessEmpty(
      attachments.map(({ filename, contentType, content, cid }) => ({
        Name: filename,
        ContentType: contentType,
        Content: content.toString('base64'),
        ContentID: cid && `cid:${cid}`,
      })),
    ),
  };
  const url = providerUrl(settings.endpoint, 'https://api.postmarkapp.com', '/email');
  return jsonRequest(url, JSON.stringify(body), { 'x-postmark-server-token': token });
}

const NOT_VERIFIED = '300.NotVerified';

/** The number of the error. An unverified address of `From` has no number of its own. */
function errorOf({ body: { ErrorCode: number, Message: said } }: ServiceAnswer): string | null {
  if (typeof number !== 'number') return null;
  const isOfSender = number === 300 && typeof said === 'string' && /^Invalid 'From'/i.test(said);
  return isOfSender ? NOT_VERIFIED : String(number);
}

/** Names the inactive addresses of a request, at most 50. Postmark may have taken the others. */
const INACTIVE = /inactive addresses: ([^\s,]+(?:, *[^\s,]+){0,50})/;

function refusedOf({ body: { Message: said } }: ServiceAnswer): string[] {
  const [, listed = ''] = INACTIVE.exec(typeof said === 'string' ? said : '') ?? [];
  return listed
    .split(/, */)
    .map((address) => address.replace(/\.$/, ''))
    .filter(isBareEmailAddress);
}

/**
 * Postmark's API. It says that the message of a 500 is lost "in most cases", so it may have been accepted.
 * @see https://postmarkapp.com/developer/api/overview#error-codes
 */
const POSTMARK_API: ProviderApi = {
  request,
  messageIdOf: ({ body }) => (typeof body.MessageID === 'string' ? body.MessageID : null),
  errorOf,
  refusedOf,
  errors: {
    // Bad or missing API token.
    10: 'account',
    // Maintenance.
    100: 'later',
    // Invalid email request.
    300: 'message',
    [NOT_VERIFIED]: 'account',
    // Sender signature not found, not confirmed.
    400: 'account',
    401: 'account',
    // Not allowed to send: out of credits.
    405: 'account',
    // Inactive recipient: it bounced, complained or unsubscribed before.
    406: 'recipient',
    // Forbidden attachment type.
    411: 'message',
    // Account is pending, or may not send.
    412: 'account',
    413: 'account',
    429: 'later',
    // The message stream of the settings does not exist, or does not send.
    1235: 'account',
    1236: 'account',
  },
  statuses: { 500: 'unknown', 503: 'later' },
};

/** Types of `Bounce` that are replies of a recipient, or of its machine, to a delivered mail. */
const NO_BOUNCE = new Set(['AddressChange', 'AutoResponder', 'ChallengeVerification', 'Subscribe']);

function bounceOf({
  Type: type,
  Details,
  Description,
}: JsonObject): Pick<RawEvent, 'type' | 'permanent'> | null {
  if (typeof type !== 'string' || NO_BOUNCE.has(type)) return null;
  if (type === 'SpamComplaint') return { type: 'complained' };
  if (type === 'Unsubscribe') return { type: 'unsubscribed' };
  if (type === 'Transient') return { type: 'deferred' };
  const isHard =
    type === 'HardBounce' && isPermanentBounce({ texts: [Details, Description], otherwise: true });
  return { type: 'bounced', permanent: type === 'BadEmailAddress' || isHard };
}

function readRecord(record: JsonObject): RawEvent | null {
  const about = { run: [objectIn(record, 'Metadata')[RUN_METADATA]], messageId: record.MessageID };
  switch (record.RecordType) {
    case 'Delivery': {
      const { Recipient: email, DeliveredAt: at, Details: reason } = record;
      return { ...about, type: 'delivered', email, at, reason };
    }
    case 'Bounce':
    case 'SpamComplaint': {
      const kind = bounceOf(record);
      const id = typeof record.ID === 'number' ? `bounce:${record.ID}` : null;
      const reason = record.Details || record.Description;
      return kind && { ...about, ...kind, id, email: record.Email, at: record.BouncedAt, reason };
    }
    case 'SubscriptionChange': {
      const { Recipient: email, ChangedAt: at, SuppressSending, SuppressionReason, Origin } = record;
      // Postmark sends records of another type for the other reasons.
      const isUnsubscribed =
        SuppressSending === true && SuppressionReason === 'ManualSuppression' && Origin === 'Recipient';
      return isUnsubscribed ? { ...about, type: 'unsubscribed', email, at } : null;
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
const postmarkFeedback: ReadFeedback = async (request) => {
  const { body, settings, credentials, nowMs } = request;
  const { webhook_username: username } = settings;
  const { webhook_password: password } = credentials;
  if (typeof username !== 'string' || !password) {
    return notGenuine('The sender has no webhook_username and webhook_password.');
  }
  const expected = Buffer.from(`${username}:${password}`).toString('base64');
  const [scheme = '', given = ''] = (headerOf(request, 'authorization') ?? '').split(' ');
  if (scheme.toLowerCase() !== 'basic' || !isSameText(given, expected)) {
    return notGenuine('The user name and password of the webhook do not match those of the sender.');
  }
  const record = parseObject(body);
  if (!record) return NOT_AN_OBJECT;
  const event = readRecord(record);
  return event ? readEvents([event], nowMs) : NO_EVENTS;
};

/**
 * Sends through Postmark's Email API.
 * @see https://postmarkapp.com/developer/api/email-api
 */
export const postmarkProvider = defineHttpProvider({
  name: 'postmark',
  label: 'Postmark',
  settings: {
    message_stream: {
      description: 'The id of the message stream.',
      default: 'outbound',
      pattern: /^[a-z][\w-]{0,29}$/,
      must: 'must be the id of a message stream, such as outbound',
    },
    webhook_username: {
      description: 'The user of the basic authentication of webhooks. Without it, feedback is refused.',
      pattern: /^[\x21-\x39\x3b-\x7e]{1,128}$/,
      must: 'must be at most 128 printable ASCII characters without a colon',
    },
  },
  credentials: {
    server_token: {
      label: 'server token',
      description: 'The API token of a server.',
      required: true,
      isSent: true,
    },
    webhook_password: {
      label: 'password of webhooks',
      description: 'The password of the basic authentication of webhooks.',
      required: 'webhook_username',
      isSent: false,
    },
  },
  api: POSTMARK_API,
  feedback: postmarkFeedback,
});
