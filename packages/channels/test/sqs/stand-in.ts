import type { JsonObject } from '@postrider/domain';
import { type ReceivedRequest, startHttpReceiver } from '@postrider/rig';
import type { AwsCredentials } from '../../src/http/aws-signature.ts';
import { AWS, isSignedForAws } from '../support/aws.ts';

export const MESSAGE_ID = '219f8380-5770-4cc2-8c3e-5c715e145f5e';

/** What the stand-in answers instead of taking a message. */
export type Answer = { readonly status: number; readonly body: string };

export interface SqsStandIn {
  readonly url: string;
  /** The parameters of what it has taken, in order. */
  readonly taken: JsonObject[];
  readonly requests: ReceivedRequest[];
  /** What it answers to any request; null: it checks it and takes it. */
  instead: Answer | null;
  close(): Promise<void>;
}

export const sqsError = (status: number, type: string): Answer => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.sqs#${type}`, message: `It says ${AWS.secretAccessKey}.` }),
});

async function refusalOf(request: ReceivedRequest, credentials: AwsCredentials): Promise<Answer | null> {
  const isProtocol =
    request.path === '/' &&
    request.headers['x-amz-target'] === 'AmazonSQS.SendMessage' &&
    request.headers['content-type'] === 'application/x-amz-json-1.0';
  if (!isProtocol) return sqsError(400, 'UnsupportedOperation');
  if (!(await isSignedForAws(request, 'sqs', credentials))) return sqsError(403, 'SignatureDoesNotMatch');
  const { QueueUrl, MessageGroupId, MessageAttributes } = JSON.parse(request.body);
  if (Object.keys(MessageAttributes).length > 10) return sqsError(400, 'InvalidParameterValue');
  if (String(QueueUrl).endsWith('.fifo') && !MessageGroupId) return sqsError(400, 'MissingParameter');
  const isGroup = MessageGroupId === undefined || /^[!-~]{1,128}$/.test(MessageGroupId);
  return isGroup ? null : sqsError(400, 'InvalidParameterValue');
}

/**
 * `SendMessage` as its public documentation describes it, with a signature that is checked by AWS's own library.
 * @param credentialsOf the access key that a request must be signed with
 */
export async function startSqs(
  credentialsOf: (request: ReceivedRequest) => AwsCredentials = () => AWS,
): Promise<SqsStandIn> {
  const taken: JsonObject[] = [];
  const requests: ReceivedRequest[] = [];
  const receiver = await startHttpReceiver(async (request, response) => {
    requests.push(request);
    const answer = standIn.instead ?? (await refusalOf(request, credentialsOf(request)));
    if (answer) return response.writeHead(answer.status).end(answer.body);
    taken.push(JSON.parse(request.body));
    return response.writeHead(200).end(JSON.stringify({ MessageId: MESSAGE_ID, MD5OfMessageBody: 'x' }));
  });
  const { url, close } = receiver;
  const standIn: SqsStandIn = { url, taken, requests, instead: null, close };
  return standIn;
}
