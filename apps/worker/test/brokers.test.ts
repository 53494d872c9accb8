import { channelKinds } from '@postrider/channels';
import { startKafkaCluster, startTcpProxy, waitFor } from '@postrider/rig';
import { findRabbitMq, startRabbitMq } from '@postrider/rig/servers';
import { afterAll, afterEach, beforeAll, describe, describeWith, expect, it } from '@postrider/testing';
import { openQueues } from '../../../packages/channels/test/amqp/queues.ts';
import { MESSAGE_ID, sqsError, startSqs } from '../../../packages/channels/test/sqs/stand-in.ts';
import { AWS } from '../../../packages/channels/test/support/aws.ts';
import { type Environment, type KindsService, startKindsService } from './support/service.ts';

/** Erlang loads a thousand modules: minutes on a machine where dozens of processes want each core. */
const START_LIMIT_MS = 600_000;
const TEST_LIMIT_MS = 180_000;

let service: KindsService;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startKindsService(channelKinds);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => service.close());

/** A channel of a new environment, which tries again soon and often. */
async function createChannel(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Environment> {
  const environment = await service.createEnvironment();
  const retry = JSON.stringify({ max_attempts: 20, delays_seconds: [1] });
  const common = ['--environment', environment.id, '--name', 'broker', '--retry', retry];
  await service.postrider(['channels', ...args, ...common], env);
  return environment;
}

/** The parts of the API's document that these tests read. */
interface DeliveryRun {
  readonly id: string;
  readonly status: string;
  readonly attempts: readonly {
    readonly status: string;
    readonly error_code: string | null;
    readonly response: { readonly status_code: number; readonly body_excerpt: string | null } | null;
  }[];
}

async function send(environment: Environment, order: string): Promise<string> {
  const event = { event_key: 'order.shipped', recipient: { id: 'ada' }, payload: { order } };
  const response = await service.call(environment, '/api/v1/events', event);
  expect(response.status).toBe(201);
  return ((await response.json()) as { message_id: string }).message_id;
}

/** The only run of a message, as the API's timeline has it. */
async function runOf(environment: Environment, messageId: string): Promise<DeliveryRun> {
  const response = await service.call(environment, `/api/v1/messages/${messageId}/deliveries`);
  const { delivery_runs: runs } = (await response.json()) as { delivery_runs: DeliveryRun[] };
  if (runs.length !== 1 || !runs[0]) throw new Error('the message has one run');
  return runs[0];
}

const succeeded = (environment: Environment, messageId: string) =>
  waitFor('the run to succeed', async () => {
    const run = await runOf(environment, messageId);
    return run.status === 'succeeded' && run;
  });

/** Waits for a failed attempt with this code, and returns it. */
const failedBy = (environment: Environment, messageId: string, code: string) =>
  waitFor(`an attempt that failed by ${code}`, async () => {
    const { attempts } = await runOf(environment, messageId);
    return attempts.find(({ status, error_code }) => status === 'failed' && error_code === code);
  });

const body = (order: string) => ({ type: 'order.shipped', data: { payload: { order } } });

describeWith(await findRabbitMq(), 'an event for a channel of kind amqp, with RabbitMQ', (rabbitMq) => {
  it(
    'arrives, also after the broker was away and after no queue took it',
    async () => {
      const broker = await startRabbitMq(rabbitMq);
      closing.push(broker.stop);
      const proxy = await startTcpProxy(`amqp://127.0.0.1:${broker.port}`);
      closing.push(proxy.close);
      const queues = await openQueues(broker.port);
      closing.push(queues.close);
      await queues.create('orders');
      const environment = await createChannel(
        [
          ...['create-amqp', '--host', '127.0.0.1', '--port', String(proxy.port), '--no-tls'],
          ...['--username', 'guest', '--password-from', 'env', '--exchange', '', '--routing-key', 'orders'],
        ],
        { AMQP_PASSWORD: 'guest' },
      );
      const take = () => waitFor('a message in the queue', () => queues.take('orders'));

      const first = await succeeded(environment, await send(environment, 'A-1'));
      expect(first.attempts).toMatchObject([
        { status: 'succeeded', error_code: null, response: { status_code: 200, body_excerpt: null } },
      ]);
      const taken = await take();
      expect(taken.properties).toMatchObject({ messageId: first.id });
      expect(JSON.parse(taken.content.toString())).toMatchObject(body('A-1'));

      await queues.delete('orders');
      proxy.set('reset');
      const second = await send(environment, 'A-2');
      await failedBy(environment, second, 'amqp_connection_failed');
      proxy.set(null);
      expect(await failedBy(environment, second, 'amqp_rejected')).toMatchObject({
        retryable: true,
        response: { status_code: 312, body_excerpt: 'NO_ROUTE' },
      });
      await queues.create('orders');
      const { id, attempts } = await succeeded(environment, second);
      expect(attempts.at(-1)).toMatchObject({ status: 'succeeded', response: { status_code: 200 } });
      expect((await take()).properties).toMatchObject({
        messageId: id,
        headers: { 'postrider-attempt': String(attempts.length) },
      });
    },
    START_LIMIT_MS,
  );
});

describe('an event for a channel of kind sqs', () => {
  it(
    'arrives, also after the service refused it for a time',
    async () => {
      const queue = await startSqs();
      closing.push(queue.close);
      const environment = await createChannel(
        [
          ...['create-sqs', '--queue-url', `${queue.url}/123456789012/orders`, '--region', AWS.region],
          ...['--access-key-id', AWS.accessKeyId, '--secret-access-key-from', 'env'],
        ],
        { AWS_SECRET_ACCESS_KEY: AWS.secretAccessKey },
      );
      const first = await succeeded(environment, await send(environment, 'A-1'));
      expect(first.attempts).toMatchObject([
        { status: 'succeeded', provider_message_id: MESSAGE_ID, response: { status_code: 200 } },
      ]);
      expect(JSON.parse(String(queue.taken[0]?.MessageBody))).toMatchObject(body('A-1'));

      queue.instead = sqsError(503, 'ServiceUnavailable');
      const second = await send(environment, 'A-2');
      const { response, ...failed } = await failedBy(environment, second, 'sqs_rejected');
      expect(failed).toMatchObject({ retryable: true, provider_message_id: null });
      expect(response).toMatchObject({
        status_code: 503,
        body_excerpt: expect.stringContaining('ServiceUnavailable'),
      });
      expect(response?.body_excerpt).not.toContain(AWS.secretAccessKey);
      queue.instead = null;
      const { id, attempts } = await succeeded(environment, second);
      expect(attempts.length).toBeGreaterThan(1);
      expect(queue.taken).toHaveLength(2);
      expect(queue.taken[1]).toMatchObject({
        MessageAttributes: { 'postrider-run-id': { StringValue: id } },
      });
    },
    TEST_LIMIT_MS,
  );
});

describe('an event for a channel of kind kafka', () => {
  it(
    'arrives, also after the brokers were away and after they had too few replicas',
    async () => {
      const cluster = await startKafkaCluster({ users: { postrider: 'correct-horse' } });
      closing.push(cluster.close);
      const environment = await createChannel(
        [
          ...['create-kafka', '--broker', cluster.addresses[0] ?? '', '--no-tls', '--topic', 'orders'],
          ...['--mechanism', 'SCRAM-SHA-256', '--username', 'postrider', '--password-from', 'env'],
          ...['--key', '{{ recipient.id }}'],
        ],
        { KAFKA_PASSWORD: 'correct-horse' },
      );
      const first = await succeeded(environment, await send(environment, 'A-1'));
      expect(first.attempts).toMatchObject([
        {
          status: 'succeeded',
          response: { body_excerpt: `partition ${cluster.records[0]?.partition}, offset 0` },
        },
      ]);
      expect(cluster.records[0]).toMatchObject({ key: 'ada', headers: { 'postrider-run-id': first.id } });
      expect(JSON.parse(String(cluster.records[0]?.value))).toMatchObject(body('A-1'));

      cluster.faults = () => 'cut';
      const second = await send(environment, 'A-2');
      await failedBy(environment, second, 'kafka_connection_failed');
      const notEnoughReplicas = 19;
      cluster.faults = (request) => (request === 'Produce' ? notEnoughReplicas : null);
      expect(await failedBy(environment, second, 'kafka_rejected')).toMatchObject({
        retryable: true,
        error_message: expect.stringContaining('NOT_ENOUGH_REPLICAS'),
        response: { status_code: notEnoughReplicas },
      });
      cluster.faults = null;
      const { id } = await succeeded(environment, second);
      expect(cluster.records).toHaveLength(2);
      expect(cluster.records[1]?.headers).toMatchObject({ 'postrider-run-id': id });
    },
    TEST_LIMIT_MS,
  );
});
