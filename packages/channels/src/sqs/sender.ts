import { createHash } from 'node:crypto';
import type { AttemptOutcome, JsonObject } from '@postrider/domain';
import { AWS_ERRORS, errorsByMeaning } from '../aws-settings.ts';
import { messageHeaders } from '../broker/sending.ts';
import { fillPaths } from '../broker/settings.ts';
import { signedForAws } from '../http/aws-signature.ts';
import {
  createServiceClient,
  type ServiceAnswer,
  type ServiceApi,
  type ServiceRequest,
} from '../http/service-client.ts';
import type { JsonContent } from '../json-template.ts';
import { type Delivery, failure, maskHeaders, type Sender, type SenderOptions } from '../sender.ts';
import { isFifo, readSqsConfig, regionOf, type SqsConfig } from './config.ts';

/** The protocol of AWS JSON 1.0: the operation is named by a header, and errors by `__type`. */
const HEADERS = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' };
/** 1 MiB, the body and the attributes together; a queue may have a lower limit. */
const MAX_MESSAGE_BYTES = 1_048_576;
/** A valid message group: letters, digits and ASCII punctuation. */
const MESSAGE_GROUP = /^[!-~]{1,128}$/;
const STRING = 'String';

/**
 * The group in a form that SQS accepts: other texts are replaced by their digest, so that equal texts stay one group.
 */
function groupOf(delivery: Delivery<JsonContent>, config: SqsConfig): string | null {
  const template = config.message_group_id ?? (isFifo(config) ? '{{ ordering_key }}' : '');
  const text = fillPaths(template, delivery);
  if (text === '') return isFifo(config) ? delivery.ids.run : null;
  return MESSAGE_GROUP.test(text) ? text : createHash('sha256').update(text).digest('base64url');
}

/** Escapes the two characters that SQS would replace and that JSON may contain unescaped. */
const withoutNoncharacters = (json: string) =>
  json.replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

/** The parameters of `SendMessage`: docs/destinations.md. Null if they exceed the size of a message. */
function messageOf(delivery: Delivery<JsonContent>, config: SqsConfig): JsonObject | null {
  const body = withoutNoncharacters(delivery.content.body);
  const attributes = Object.entries(messageHeaders(delivery));
  const sizes = [body, ...attributes.flatMap(([name, value]) => [name, STRING, value])].map((text) =>
    Buffer.byteLength(text),
  );
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_MESSAGE_BYTES) return null;
  const group = groupOf(delivery, config);
  return {
    QueueUrl: config.queue_url,
    MessageBody: body,
    MessageAttributes: Object.fromEntries(
      attributes.map(([name, value]) => [name, { DataType: STRING, StringValue: value }]),
    ),
    ...(group === null ? {} : { MessageGroupId: group }),
    // The run is the same on every attempt, so a FIFO queue accepts it once within five minutes.
    ...(isFifo(config) ? { MessageDeduplicationId: delivery.ids.run } : {}),
  };
}

function request(delivery: Delivery<JsonContent>): ServiceRequest | AttemptOutcome | null {
  const config = readSqsConfig(delivery.channel.config);
  const { secret_access_key: secretAccessKey, session_token: sessionToken } = delivery.credentials;
  const accessKeyId = delivery.credentials.access_key_id ?? config?.access_key_id;
  if (!config || accessKeyId === undefined || secretAccessKey === undefined) return null;
  const message = messageOf(delivery, config);
  if (!message) {
    return failure('sqs_rejected', 'The message is larger than the 1 MiB that SQS accepts.', {
      retryable: false,
    });
  }
  const url = new URL('/', config.queue_url);
  const body = JSON.stringify(message);
  const headers = signedForAws(
    { service: 'sqs', region: regionOf(config), url, headers: HEADERS, body, nowMs: delivery.nowMs() },
    { accessKeyId, secretAccessKey, sessionToken },
  );
  const { MessageGroupId: group } = message;
  const shown = { ...headers, ...(group === undefined ? {} : { group }), ...messageHeaders(delivery) };
  delivery.reportExchange?.({ requestHeaders: maskHeaders(shown) });
  return { url, headers, body };
}

/** The error's type without its namespace. */
function errorOf({ body }: ServiceAnswer): string | null {
  return typeof body.__type === 'string' ? (body.__type.split('#').pop() ?? null) : null;
}

/**
 * `SendMessage` of Amazon SQS. An error that says that the queue does not fit the channel's config is `later`: the message is
 * accepted once the queue is changed.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html#API_SendMessage_Errors
 */
const SQS_API: ServiceApi<Delivery<JsonContent>> = {
  label: 'Amazon SQS',
  request,
  awsAccessOf({ channel: { config }, ids: { environment: externalId } }) {
    const { aws_role: role, ...rest } = readSqsConfig(config) ?? { queue_url: '' };
    return role ? { role, externalId, region: regionOf(rest) } : null;
  },
  messageIdOf: ({ body }) => (typeof body.MessageId === 'string' ? body.MessageId : null),
  isTaken: ({ body }) => typeof body.MessageId === 'string',
  errorOf,
  errors: {
    ...AWS_ERRORS,
    ...errorsByMeaning({
      message: [
        'InvalidMessageContents',
        'InvalidParameterValue',
        'InvalidParameterValueException',
        'ValidationError',
      ],
      account: [
        'AccessDenied',
        'InvalidSecurity',
        'KmsAccessDenied',
        'KmsDisabled',
        'KmsInvalidKeyUsage',
        'KmsInvalidState',
        'KmsNotFound',
        'KmsOptInRequired',
      ],
      later: [
        'InvalidAddress',
        'InvalidParameterCombination',
        'KmsThrottled',
        'MissingParameter',
        'OverLimit',
        'QueueDoesNotExist',
        'RequestThrottled',
        'UnsupportedOperation',
      ],
    }),
  },
  statuses: { 404: 'later', 405: 'later' },
  codes: {
    message: 'sqs_rejected',
    account: 'sqs_auth_failed',
    later: 'sqs_rejected',
    unknown: 'sqs_outcome_unknown',
    connection: 'sqs_connection_failed',
  },
};

/** Creates the sender to Amazon SQS: one `SendMessage`, signed by Signature Version 4. */
export const createSqsSender = (options: SenderOptions): Sender<JsonContent> =>
  createServiceClient(SQS_API, options);
