import { isJsonObject, isSameText, type JsonObject } from '@postrider/domain';
import {
  ACCESS_KEY_ID,
  AWS_ERRORS,
  AWS_KEY_OR_ROLE,
  AWS_REGION,
  AWS_ROLE,
  errorsByMeaning,
} from '../../../aws-settings.ts';
import type { ServiceAnswer, ServiceRequest } from '../../../http/service-client.ts';
import { isPermanentBounce, SUPPRESSED } from '../../bounces.ts';
import {
  type FeedbackReading,
  type FeedbackRequest,
  feedbackText,
  listIn,
  MAX_FEEDBACK_EVENTS,
  malformed,
  NO_EVENTS,
  NOT_AN_OBJECT,
  notGenuine,
  objectIn,
  parseBounded,
  parseObject,
  type RawEvent,
  type ReadFeedback,
  readEvents,
  unavailable,
} from '../../feedback.ts';
import type { EmailToSend } from '../../provider.ts';
import { defineHttpProvider } from '../http/provider.ts';
import { type ProviderApi, providerUrl, RUN_METADATA, type ToMime } from '../http/request.ts';
import { createSnsVerifier, readSnsMessage, type SnsMessage, snsHostOf, urlOn } from './sns.ts';

const PATH = '/v2/email/outbound-emails';

/**
 * The message is raw MIME, the same as other providers get. SES replaces its `Message-ID` and `Date`, so feedback
 * finds the run by the tag.
 * @see https://docs.aws.amazon.com/ses/latest/dg/header-fields.html
 */
async function request(email: EmailToSend, toMime: ToMime): Promise<ServiceRequest | null> {
  const { settings, credentials, ids, nowMs } = email;
  const { region, configuration_set: configurationSet, endpoint } = settings;
  const accessKeyId = credentials.access_key_id ?? settings.access_key_id;
  const { secret_access_key: secretAccessKey, session_token: sessionToken } = credentials;
  if (typeof region !== 'string' || typeof accessKeyId !== 'string' || !secretAccessKey) return null;
  const { mime, recipients } = await toMime();
  const body = JSON.stringify({
    Destination: { ToAddresses: recipients },
    Content: { Raw: { Data: mime.toString('base64') } },
    EmailTags: [{ Name: RUN_METADATA, Value: ids.run }],
    ...(typeof configurationSet === 'string' ? { ConfigurationSetName: configurationSet } : {}),
  });
  const { signedForAws } = await import('../../../http/aws-signature.ts');
  const url = providerUrl(endpoint, `https://email.${region}.amazonaws.com`, PATH);
  const headers = signedForAws(
    {
      service: 'ses',
      region,
      url,
      body,
      headers: { 'content-type': 'application/json' },
      nowMs: nowMs(),
    },
    { accessKeyId, secretAccessKey, sessionToken },
  );
  return { url, headers, body };
}

const NOT_VERIFIED = 'MessageRejected.NotVerified';

/** The error's type without its namespace. An unverified address has no type of its own. */
function errorOf({ body, header }: ServiceAnswer): string | null {
  const named = header('x-amzn-errortype') ?? body.__type ?? body.code;
  if (typeof named !== 'string') return null;
  const type = named.split(':')[0]?.split('#').pop() ?? '';
  const said = body.message ?? body.Message;
  return type === 'MessageRejected' && typeof said === 'string' && /not verified/i.test(said)
    ? NOT_VERIFIED
    : type;
}

/**
 * The API of Amazon SES.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors
 */
const SES_API: ProviderApi = {
  request,
  awsAccessOf: ({ settings: { aws_role: role, region }, ids: { environment: externalId } }) =>
    typeof role === 'string' ? { role, externalId, region: String(region) } : null,
  messageIdOf: ({ body }) => (typeof body.MessageId === 'string' ? body.MessageId : null),
  errorOf,
  errors: {
    ...AWS_ERRORS,
    ...errorsByMeaning({
      message: ['MessageRejected', 'BadRequestException', 'ValidationException'],
      account: [
        'AccountSuspendedException',
        'MailFromDomainNotVerifiedException',
        'NotFoundException',
        'SendingPausedException',
      ],
      later: ['LimitExceededException', 'TooManyRequestsException'],
    }),
    [NOT_VERIFIED]: 'account',
  },
  statuses: {},
};

/** SNS tries to deliver a message for at most an hour. The signed time is that of its publication. */
const WINDOW_MS = 2 * 3_600_000;
const MAX_AHEAD_MS = 5 * 60_000;

/** Whether a bounce is permanent. SES says so of all that it does not expect to change, also of a blocked sender. */
function isPermanent({ bounceType, bounceSubType }: JsonObject, recipient: JsonObject): boolean {
  if (bounceType !== 'Permanent') return false;
  const isInvalid = SUPPRESSED.has(feedbackText(bounceSubType) ?? '') || null;
  return isPermanentBounce({
    texts: [recipient.status, recipient.diagnosticCode],
    isInvalid,
    otherwise: true,
  });
}

/** Each type of event: the field with its details, and the list in it of addresses, or of objects with one. */
const KINDS: ReadonlyMap<unknown, { type: RawEvent['type']; details: string; recipients?: string }> = new Map(
  [
    ['Delivery', { type: 'delivered', details: 'delivery', recipients: 'recipients' }],
    ['DeliveryDelay', { type: 'deferred', details: 'deliveryDelay', recipients: 'delayedRecipients' }],
    ['Bounce', { type: 'bounced', details: 'bounce', recipients: 'bouncedRecipients' }],
    ['Complaint', { type: 'complained', details: 'complaint', recipients: 'complainedRecipients' }],
    // SES found malware after it had accepted the message.
    ['Reject', { type: 'bounced', details: 'reject' }],
    ['Subscription', { type: 'unsubscribed', details: 'subscription' }],
  ],
);

function readEvent(event: JsonObject): RawEvent[] | null {
  const kind = KINDS.get(event.eventType ?? event.notificationType);
  if (!kind) return [];
  const { type } = kind;
  const [details, mail] = [objectIn(event, kind.details), objectIn(event, 'mail')];
  const isStillSubscribed =
    type === 'unsubscribed' && objectIn(details, 'newTopicPreferences').unsubscribeAll !== true;
  if (isStillSubscribed) return [];
  const recipients = kind.recipients ? listIn(details, kind.recipients) : listIn(mail, 'destination');
  if (recipients.length > MAX_FEEDBACK_EVENTS) return null;
  const original = listIn(mail, 'headers').find(
    (header) => isJsonObject(header) && feedbackText(header.name)?.toLowerCase() === 'message-id',
  );
  const run = [
    listIn(objectIn(mail, 'tags'), RUN_METADATA)[0],
    original !== undefined && isJsonObject(original) ? original.value : null,
  ];
  return recipients.map((recipient) => {
    const about: JsonObject = isJsonObject(recipient) ? recipient : { emailAddress: recipient };
    return {
      type,
      permanent: isPermanent(details, about),
      email: about.emailAddress,
      run,
      messageId: mail.messageId,
      at: details.timestamp ?? mail.timestamp,
      reason:
        about.diagnosticCode ??
        about.status ??
        details.smtpResponse ??
        details.complaintFeedbackType ??
        details.reason ??
        details.delayType,
    };
  });
}

function readNotification(message: SnsMessage, nowMs: number): FeedbackReading {
  const event = parseBounded(message.Message);
  // SES publishes a plain text to a new destination, as a test.
  if (event === undefined || !isJsonObject(event)) return NO_EVENTS;
  const events = readEvent(event);
  return events ? readEvents(events, nowMs) : malformed('The event has too many recipients.');
}

/** Confirms the subscription of the operator's topic through the URL in the message, which must be on the SNS host. */
async function confirm(message: SnsMessage, { fetchDocument }: FeedbackRequest): Promise<FeedbackReading> {
  const host = snsHostOf(message.TopicArn);
  const url = host === null ? null : urlOn(host, message.SubscribeURL ?? '');
  const isConfirmation =
    url?.pathname === '/' &&
    url.searchParams.get('Action') === 'ConfirmSubscription' &&
    url.searchParams.get('TopicArn') === message.TopicArn;
  if (!url || !isConfirmation) return notGenuine('The SubscribeURL does not belong to Amazon SNS.');
  return (await fetchDocument(url)) === null
    ? unavailable('The subscription could not be confirmed: Amazon SNS did not respond.')
    : NO_EVENTS;
}

const verifySns = createSnsVerifier();

/**
 * Reads events of Amazon SES that Amazon SNS posts. Any AWS account can make SNS post anywhere, so only the topic in
 * the settings is accepted.
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html
 */
const sesFeedback: ReadFeedback = async (request) => {
  const { body, settings, nowMs, fetchDocument } = request;
  if (typeof settings.topic_arn !== 'string') return notGenuine('The sender has no topic_arn.');
  const posted = parseObject(body);
  if (!posted) return NOT_AN_OBJECT;
  const message = readSnsMessage(posted);
  if (!message) return malformed('The body must be a message of Amazon SNS, without raw message delivery.');
  if (!isSameText(message.TopicArn, settings.topic_arn)) {
    return notGenuine('The topic is not the topic_arn of the sender.');
  }
  const age = nowMs - Date.parse(message.Timestamp);
  if (!(age <= WINDOW_MS && age >= -MAX_AHEAD_MS))
    return notGenuine('The time of the message is not recent.');
  const authenticity = await verifySns(message, { nowMs, fetchDocument });
  if (authenticity === 'unavailable')
    return unavailable('The certificate of Amazon SNS could not be fetched.');
  if (authenticity === 'forged') return notGenuine('The message was not signed by Amazon SNS.');
  if (message.Type === 'SubscriptionConfirmation') return confirm(message, request);
  return message.Type === 'Notification' ? readNotification(message, nowMs) : NO_EVENTS;
};

/**
 * Sends through `SendEmail` of Amazon SES' API v2, as raw MIME.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 */
export const sesProvider = defineHttpProvider({
  name: 'ses',
  label: 'Amazon SES',
  settings: {
    region: {
      description: 'The AWS region, such as `eu-central-1`.',
      isRequired: true,
      ...AWS_REGION,
    },
    access_key_id: {
      description:
        'The access key of an IAM user that may call `ses:SendEmail`. Required unless `aws_role` is given.',
      ...ACCESS_KEY_ID,
    },
    aws_role: AWS_ROLE,
    configuration_set: {
      description: 'The configuration set whose event destination publishes feedback.',
      pattern: /^[\w-]{1,64}$/,
      must: 'must be at most 64 letters, digits, hyphens and underscores',
    },
    topic_arn: {
      description: 'The SNS topic of the feedback. Without it, feedback is refused.',
      pattern: /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(?:\.fifo)?$/,
      must: 'must be the ARN of an SNS topic',
      maxLength: 400,
    },
  },
  credentials: {
    secret_access_key: {
      label: 'secret access key',
      description: 'The secret of the access key.',
      required: true,
      replacedBy: 'aws_role',
      isSent: true,
    },
  },
  rules: [AWS_KEY_OR_ROLE],
  keylessField: 'aws_role',
  api: SES_API,
  // A message of SNS has at most 256 KiB, here quoted in JSON with its signature.
  maxFeedbackBytes: 384 * 1024,
  feedback: sesFeedback,
});
