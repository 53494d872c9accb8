import type { JsonObject } from '@postrider/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@postrider/testing';
import type { JsonContent } from '../../src/json-template.ts';
import type { ExchangeFacts, Sender, SenderOptions } from '../../src/sender.ts';
import { SQS_SETTINGS, type SqsConfig } from '../../src/sqs/config.ts';
import { sqsKind } from '../../src/sqs/index.ts';
import { createSqsSender } from '../../src/sqs/sender.ts';
import { AWS } from '../support/aws.ts';
import { type Details, loopbackAllowed, RUN_ID, webhookDelivery } from '../support/delivery.ts';
import { MESSAGE_ID, type SqsStandIn, sqsError, startSqs } from './stand-in.ts';

let service: SqsStandIn;
const senders: Sender<JsonContent>[] = [];

beforeAll(async () => {
  service = await startSqs();
});
beforeEach(() => {
  service.instead = null;
  service.taken.length = 0;
});
afterAll(async () => {
  for (const sender of senders) sender.close();
  await service.close();
});

interface Sent extends Details<JsonContent> {
  readonly queue?: string;
  readonly url?: string;
  readonly group?: string;
  readonly orderingKey?: string;
  readonly body?: string;
  readonly options?: Partial<SenderOptions>;
}

function send({
  queue = 'orders',
  url = service.url,
  group,
  orderingKey,
  body = '{"type":"order.shipped"}',
  options = {},
  ...details
}: Sent = {}) {
  const sender = createSqsSender({ isAddressAllowed: loopbackAllowed, ...options });
  senders.push(sender);
  const made = webhookDelivery(
    { url: '' },
    { credentials: { secret_access_key: AWS.secretAccessKey }, content: { body }, ...details },
  );
  const config = {
    queue_url: `${url}/123456789012/${queue}`,
    region: AWS.region,
    access_key_id: AWS.accessKeyId,
    ...(group === undefined ? {} : { message_group_id: group }),
  };
  return sender.send({
    ...made,
    message: { ...made.message, orderingKey: orderingKey ?? null },
    channel: { ...made.channel, config },
  });
}

describe('a channel of kind sqs', () => {
  it('sends the signed body with its identifying attributes, and stores the id of the service', async () => {
    const facts: ExchangeFacts[] = [];
    const result = await send({ attemptNumber: 2, reportExchange: (fact) => facts.push(fact) });
    expect(result).toMatchObject({
      status: 'succeeded',
      providerMessageId: MESSAGE_ID,
      response: { statusCode: 200 },
    });
    const text = (value: string) => ({ DataType: 'String', StringValue: value });
    expect(service.taken).toEqual([
      {
        QueueUrl: `${service.url}/123456789012/orders`,
        MessageBody: '{"type":"order.shipped"}',
        MessageAttributes: {
          'postrider-run-id': text(RUN_ID),
          'postrider-message-id': text('msg_01jd4q9v8wfq3vj1m0f4e9x7cz'),
          'postrider-event-key': text('order.shipped'),
          'postrider-attempt': text('2'),
        },
      },
    ]);
    const kept = JSON.stringify(facts);
    expect(kept).toContain('postrider-attempt');
    expect(kept).not.toContain('Signature=');
    expect(kept).not.toContain(AWS.secretAccessKey);
  });

  it('signs the session token of a temporary key, and shows it nowhere', async () => {
    const facts: ExchangeFacts[] = [];
    const sessionToken = 'IQoJb3JpZ2luX2VjEXAMPLETOKEN';
    const credentials = { secret_access_key: AWS.secretAccessKey, session_token: sessionToken };
    expect(await send({ credentials, reportExchange: (fact) => facts.push(fact) })).toMatchObject({
      status: 'succeeded',
    });
    expect(service.requests.at(-1)?.headers).toMatchObject({
      'x-amz-security-token': sessionToken,
      authorization: expect.stringContaining('x-amz-security-token'),
    });
    expect(JSON.stringify(facts)).not.toContain(sessionToken);
  });

  it('uses no more attributes than a message can have', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(await send({ message: { test: true }, sequence: 7, traceparent })).toMatchObject({
      status: 'succeeded',
    });
    expect(service.taken[0]?.MessageAttributes).toMatchObject({ 'postrider-sequence': { StringValue: '7' } });
  });

  it('sends to a FIFO queue in the group of its ordering key, so that a second attempt is dropped', async () => {
    const queue = 'orders.fifo';
    await send({ queue });
    await send({ queue, orderingKey: 'A-1042' });
    await send({ queue, orderingKey: 'A-1042', group: '{{ payload.country }}' });
    await send({ queue, group: '{{ payload.missing }}' });
    expect(service.taken).toMatchObject(
      [RUN_ID, 'A-1042', 'de', RUN_ID].map((MessageGroupId) => ({
        MessageGroupId,
        MessageDeduplicationId: RUN_ID,
      })),
    );
  });

  it('keeps equal groups equal if SQS does not accept them', async () => {
    for (const orderingKey of ['ünïcode', 'ünïcode', 'k'.repeat(200)]) {
      expect(await send({ queue: 'orders.fifo', orderingKey })).toMatchObject({ status: 'succeeded' });
    }
    const [one, again, other] = service.taken.map(({ MessageGroupId }) => MessageGroupId);
    expect(one).toBe(again);
    expect(one).not.toBe(other);
  });

  it('gives a message of a standard queue a group only if the channel has one, and no deduplication id', async () => {
    await send({ orderingKey: 'A-1042' });
    await send({ group: '{{ payload.country }}' });
    expect(service.taken.map(({ MessageGroupId }) => MessageGroupId)).toEqual([undefined, 'de']);
    expect(service.taken.some((message) => 'MessageDeduplicationId' in message)).toBe(false);
  });

  it('refuses a message that is too large for SQS, and sends one that just fits', async () => {
    const bytesOf = (body: string) => send({ body });
    const attributes = { status: 'failed', error: { code: 'sqs_rejected', retryable: false } };
    expect(await bytesOf(JSON.stringify('x'.repeat(1_048_576)))).toMatchObject(attributes);
    expect(await bytesOf(JSON.stringify('x'.repeat(1_048_000)))).toMatchObject({ status: 'succeeded' });
  });

  it('escapes the characters that SQS would replace', async () => {
    await send({ body: JSON.stringify({ text: 'a\uffff\ufffe\u0000b' }) });
    const body = String(service.taken[0]?.MessageBody);
    expect(body).not.toMatch(/[\ufffe\uffff\0]/);
    expect(JSON.parse(body)).toEqual({ text: 'a\uffff\ufffe\u0000b' });
  });

  it.each([
    [400, 'InvalidMessageContents', 'failed', 'sqs_rejected', false],
    [400, 'InvalidParameterValue', 'failed', 'sqs_rejected', false],
    [400, 'QueueDoesNotExist', 'failed', 'sqs_rejected', true],
    [400, 'UnsupportedOperation', 'failed', 'sqs_rejected', true],
    [400, 'KmsDisabled', 'failed', 'sqs_auth_failed', true],
    [403, 'InvalidClientTokenId', 'failed', 'sqs_auth_failed', true],
    [403, 'SignatureDoesNotMatch', 'failed', 'sqs_auth_failed', true],
    [403, 'RequestThrottled', 'failed', 'sqs_rejected', true],
    [400, 'KmsThrottled', 'failed', 'sqs_rejected', true],
    [503, 'ServiceUnavailable', 'failed', 'sqs_rejected', true],
    [500, 'InternalFailure', 'unknown', 'sqs_outcome_unknown', true],
    [418, 'SomethingNew', 'failed', 'sqs_rejected', false],
    [502, 'SomethingNew', 'unknown', 'sqs_outcome_unknown', true],
  ] as const)('%i %s is %s, %s, retried: %s', async (status, type, outcome, code, retryable) => {
    service.instead = sqsError(status, type);
    const result = await send();
    expect(result).toMatchObject({
      status: outcome,
      error: { code, retryable, message: expect.stringContaining(type) },
    });
    expect(JSON.stringify(result)).not.toContain(AWS.secretAccessKey);
  });

  it('does not mistake a page of another server for a response of SQS', async () => {
    service.instead = { status: 200, body: '<html>Welcome</html>' };
    expect(await send()).toMatchObject({
      status: 'unknown',
      error: { code: 'sqs_outcome_unknown', retryable: true },
    });
  });

  it('reports a wrong secret, and sends nothing without one', async () => {
    const wrong = { credentials: { secret_access_key: 'another' } };
    expect(await send(wrong)).toMatchObject({
      status: 'failed',
      error: { code: 'sqs_auth_failed', retryable: true },
    });
    expect(await send({ credentials: {} })).toMatchObject({
      status: 'failed',
      error: { code: 'sqs_auth_failed' },
    });
    expect(service.taken).toEqual([]);
  });
});

describe('the config of an SQS channel', () => {
  const valid = {
    queue_url: 'https://sqs.eu-central-1.amazonaws.com/123456789012/orders.fifo',
    access_key_id: AWS.accessKeyId,
  };
  const issuesOf = (config: object) =>
    SQS_SETTINGS.config.rules.flatMap((rule) => rule.issuesOf(config as SqsConfig)).map(({ path }) => path);

  it('uses the region of a public URL, and requires it otherwise', () => {
    expect(issuesOf(valid)).toEqual([]);
    expect(sqsKind.config.present(SQS_SETTINGS.config.toStored(valid))).toMatchObject({
      region: 'eu-central-1',
    });
    const elsewhere = { ...valid, queue_url: 'https://sqs.example.com/1/orders' };
    expect(issuesOf(elsewhere)).toEqual(['/region']);
    expect(issuesOf({ ...elsewhere, region: 'eu-central-1' })).toEqual([]);
  });

  it.each([
    ['http', { queue_url: 'http://sqs.eu-central-1.amazonaws.com/1/orders' }, '/queue_url'],
    ['credentials', { queue_url: 'https://a:b@sqs.eu-central-1.amazonaws.com/1/orders' }, '/queue_url'],
    ['a query', { queue_url: 'https://sqs.eu-central-1.amazonaws.com/1/orders?a=b' }, '/queue_url'],
    ['no queue', { queue_url: 'https://sqs.eu-central-1.amazonaws.com' }, '/queue_url'],
    ['another region than the URL has', { region: 'us-east-1' }, '/region'],
    ['an invalid region', { queue_url: 'https://sqs.example.com/1/o', region: 'eu/../' }, '/region'],
    ['an invalid access key', { access_key_id: 'a b' }, '/access_key_id'],
    ['filters in the group', { message_group_id: '{{ event_key | upcase }}' }, '/message_group_id'],
  ])('refuses %s', (_what, change, path) => {
    expect(issuesOf({ ...valid, ...change })).toEqual([path]);
  });

  it('never keeps a secret for another access key or host', () => {
    const config = SQS_SETTINGS.config.toStored(valid);
    const before = { config, credentials: new Set(['secret_access_key']) };
    const issues = (change: object) =>
      sqsKind.credentials?.change(before, { given: {}, config: { ...config, ...change } }).issues;
    expect(issues({ message_group_id: 'g' })).toEqual([]);
    expect(issues({ access_key_id: 'AKIAI44QH8DHBEXAMPLE' })).toMatchObject([{ code: 'required' }]);
    expect(issues({ queue_url: 'https://sqs.example.com/1/orders' })).toMatchObject([{ code: 'required' }]);
  });

  it('keeps a session token for the key that it was given for, and drops it with that', () => {
    const config = SQS_SETTINGS.config.toStored({
      ...{ queue_url: `${service.url}/1/orders`, region: AWS.region, access_key_id: AWS.accessKeyId },
    });
    const before = { config, credentials: new Set(['secret_access_key', 'session_token']) };
    const change = (given: JsonObject, changed: JsonObject = {}) =>
      sqsKind.credentials?.change(before, { given, config: { ...config, ...changed } });
    expect(change({})).toEqual({ changes: {}, issues: [] });
    expect(change({ session_token: null })).toEqual({ changes: { session_token: null }, issues: [] });
    const key = { access_key_id: 'AKIAI44QH8DHBEXAMPLE' };
    expect(change({ secret_access_key: 's' }, key)).toEqual({
      ...{ changes: { secret_access_key: 's', session_token: null }, issues: [] },
    });
    expect(change({ secret_access_key: 's', session_token: 't' }, key)).toEqual({
      ...{ changes: { secret_access_key: 's', session_token: 't' }, issues: [] },
    });
    const without = { config, credentials: new Set(['secret_access_key']) };
    expect(sqsKind.credentials?.change(without, { given: {}, config })).toEqual({ changes: {}, issues: [] });
  });
});
