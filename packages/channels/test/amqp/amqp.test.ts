import { connect as connectTcp, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createAddressPolicy } from '@postrider/domain';
import { startTcpProxy, waitFor } from '@postrider/rig';
import { createAuthority } from '@postrider/rig/certificates';
import { findRabbitMq, type RabbitMq, startRabbitMq } from '@postrider/rig/servers';
import { afterAll, afterEach, beforeAll, describe, describeWith, expect, it } from '@postrider/testing';
import { type ChannelModel, connect, type GetMessage } from 'amqplib';
import { AMQP_SETTINGS } from '../../src/amqp/config.ts';
import { amqpKind } from '../../src/amqp/index.ts';
import { createAmqpSender } from '../../src/amqp/sender.ts';
import type { JsonContent } from '../../src/json-template.ts';
import type { Delivery, ExchangeFacts, Sender } from '../../src/sender.ts';
import { type Details, loopbackAllowed, RUN_ID, webhookDelivery } from '../support/delivery.ts';

/** Erlang loads a thousand modules: minutes on a machine where dozens of processes want each core. */
const START_LIMIT_MS = 600_000;

const found = await findRabbitMq();
let authority: string;
let broker: RabbitMq;
let model: ChannelModel;
const senders: Sender<JsonContent>[] = [];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (!found.ok) return;
  const made = await createAuthority('Brokers');
  authority = made.certificate;
  const { certificate, privateKey } = await made.issue('broker');
  broker = await startRabbitMq(found.value, { tls: { certificate, privateKey, ca: authority } });
  model = await connect(`amqp://guest:guest@127.0.0.1:${broker.port}`);
}, START_LIMIT_MS);
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await model?.close();
  await broker?.stop();
});

function open(isAddressAllowed = loopbackAllowed): Sender<JsonContent> {
  const sender = createAmqpSender({ isAddressAllowed });
  senders.push(sender);
  return sender;
}

interface Settings {
  readonly config?: Record<string, string | number | boolean>;
  readonly details?: Details<JsonContent>;
}

/** A delivery by the default exchange to the queue of the test, in the clear. */
function delivery({ config = {}, details = {} }: Settings): Delivery<JsonContent> {
  const made = webhookDelivery({ url: '' }, { credentials: { password: 'guest' }, ...details });
  return {
    ...made,
    channel: {
      ...made.channel,
      config: {
        ...{
          host: '127.0.0.1',
          port: broker?.port ?? 1,
          tls: false,
          vhost: '/',
          username: 'guest',
          exchange: '',
        },
        ...{ routing_key: 'orders', persistent: true },
        ...config,
      },
    },
  };
}

async function createQueue(name: string, options: object = {}): Promise<() => Promise<GetMessage | false>> {
  const channel = await model.createChannel();
  await channel.assertQueue(name, options);
  closing.push(async () => {
    await channel.deleteQueue(name);
    await channel.close();
  });
  return () => channel.get(name, { noAck: true });
}

describeWith(found, 'a channel of kind amqp, with RabbitMQ', () => {
  it('publishes the body with its identifying properties, and succeeds with the confirm', async () => {
    const channel = await model.createChannel();
    await channel.assertExchange('events', 'topic');
    closing.push(() => channel.deleteExchange('events').then(() => channel.close()));
    const take = await createQueue('by-topic');
    await channel.bindQueue('by-topic', 'events', 'shop.de.order.*');
    const facts: ExchangeFacts[] = [];

    const result = await open().send(
      delivery({
        config: { exchange: 'events', routing_key: 'shop.{{ payload.country }}.{{ event_key }}' },
        details: { attemptNumber: 3, message: { test: true }, reportExchange: (fact) => facts.push(fact) },
      }),
    );

    expect(result).toEqual({
      status: 'succeeded',
      error: null,
      response: { statusCode: 200, bodyExcerpt: null },
    });
    const message = (await take()) || null;
    expect(message?.content.toString()).toBe('{"type":"order.shipped"}');
    expect(message?.fields.routingKey).toBe('shop.de.order.shipped');
    expect(message?.properties).toMatchObject({
      messageId: RUN_ID,
      type: 'order.shipped',
      contentType: 'application/json',
      deliveryMode: 2,
      appId: 'postrider',
      timestamp: 1_795_253_400,
      headers: {
        'postrider-run-id': RUN_ID,
        'postrider-message-id': expect.stringMatching(/^msg_/),
        'postrider-event-key': 'order.shipped',
        'postrider-attempt': '3',
        'postrider-test': 'true',
      },
    });
    const seen: ExchangeFacts = Object.assign({}, ...facts);
    expect(seen.connectedAddress).toBe(`127.0.0.1:${broker.port}`);
    expect(seen.requestHeaders).toContainEqual(['routing-key', 'shop.de.order.shipped']);
    expect(JSON.stringify(facts)).not.toContain('guest');
  });

  it('fails an unroutable message, and sends the next one over the same AMQP channel', async () => {
    const take = await createQueue('orders');
    const sender = open();
    expect(await sender.send(delivery({ config: { routing_key: 'nobody' } }))).toMatchObject({
      status: 'failed',
      response: { statusCode: 312, bodyExcerpt: 'NO_ROUTE' },
      error: { code: 'amqp_rejected', retryable: true },
    });
    expect(await sender.send(delivery({}))).toMatchObject({ status: 'succeeded' });
    expect(await take()).not.toBe(false);
  });

  it('fails a message to a missing exchange without affecting others of the connection', async () => {
    await createQueue('orders');
    const sender = open();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_value, index) =>
        sender.send(delivery({ config: index % 2 === 0 ? { exchange: 'nothing' } : {} })),
      ),
    );
    const ends = results.map((result) =>
      result.status === 'succeeded'
        ? 'delivered'
        : [result.status, result.error.code, result.response?.statusCode],
    );
    expect(ends.filter((end) => end === 'delivered')).toHaveLength(4);
    expect(ends.filter((end) => end !== 'delivered')).toEqual(
      Array(4).fill(['failed', 'amqp_rejected', 404]),
    );
  });

  it('fails a message that the broker nacks', async () => {
    await createQueue('full', { arguments: { 'x-max-length': 0, 'x-overflow': 'reject-publish' } });
    expect(await open().send(delivery({ config: { routing_key: 'full' } }))).toMatchObject({
      status: 'failed',
      error: { code: 'amqp_rejected', message: expect.stringContaining('basic.nack'), retryable: true },
    });
  });

  it.each([
    ['a wrong password', { details: { credentials: { password: 'wrong-password' } } }],
    ['an unknown virtual host', { config: { vhost: 'nowhere' } }],
    ['no password', { details: { credentials: {} } }],
  ])('fails with amqp_auth_failed for %s, without the password in the error', async (_what, settings) => {
    const result = await open().send(delivery(settings));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'amqp_auth_failed', retryable: true } });
    expect(JSON.stringify(result)).not.toContain('wrong-password');
  });

  it.each(['reset', 'swallow'] as const)(
    'has an unknown outcome without a confirm (%s), and then uses another connection',
    async (fault) => {
      await createQueue('orders');
      let isArmed = false;
      const proxy = await startTcpProxy(`http://127.0.0.1:${broker.port}`, {
        onSent: (chunk) => {
          if (isArmed && chunk.includes('"lost"')) setImmediate(() => proxy.set(fault));
        },
      });
      closing.push(proxy.close);
      const sender = open();
      const send = (body: string) =>
        sender.send(
          delivery({ config: { port: proxy.port }, details: { content: { body }, timeoutMs: 2_000 } }),
        );
      expect(await send('{}')).toMatchObject({ status: 'succeeded' });
      isArmed = true;
      proxy.set('slow');
      expect(await send('"lost"')).toMatchObject({
        status: 'unknown',
        error: { code: 'amqp_outcome_unknown', retryable: true },
      });
      isArmed = false;
      proxy.set(fault === 'swallow' ? 'reset' : null);
      proxy.set(null);
      // A connection that was reset is noticed on the way of the next message at the latest.
      let next = await send('{}');
      if (next.status !== 'succeeded') next = await send('{}');
      expect(next).toMatchObject({ status: 'succeeded' });
    },
  );

  it('fails with certainty during an alarm once the broker has blocked the connection, and sends after it', async () => {
    await createQueue('orders');
    const sender = open();
    const send = (timeoutMs: number) => sender.send(delivery({ details: { timeoutMs } }));
    expect(await send(60_000)).toMatchObject({ status: 'succeeded' });
    await broker.setMemoryAlarm(true);
    closing.push(() => broker.setMemoryAlarm(false));
    // The broker blocks a connection with the next message on it.
    expect(await send(2_000)).toMatchObject({ status: 'unknown', error: { code: 'amqp_outcome_unknown' } });
    expect(await send(2_000)).toMatchObject({
      status: 'failed',
      error: { code: 'amqp_rejected', message: expect.stringContaining('connection.blocked') },
    });
    await broker.setMemoryAlarm(false);
    await waitFor('a confirm', async () => (await send(60_000)).status === 'succeeded');
  });

  it('keeps one connection for a channel, and opens another one after a change', async () => {
    await createQueue('orders');
    let connections = 0;
    const proxy = await startTcpProxy(`http://127.0.0.1:${broker.port}`, {
      onSent: (chunk) => {
        if (chunk.subarray(0, 4).toString() === 'AMQP') connections += 1;
      },
    });
    closing.push(proxy.close);
    const sender = open();
    const send = (revision: number) =>
      sender.send(delivery({ config: { port: proxy.port }, details: { revision } }));
    const results = await Promise.all(Array.from({ length: 40 }, () => send(1)));
    expect(results.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    expect(connections).toBe(1);
    expect(await send(2)).toMatchObject({ status: 'succeeded' });
    expect(connections).toBe(2);
  });

  it('uses TLS only with a broker whose certificate comes from the given authorities', async () => {
    await createQueue('orders');
    const tls = { tls: true, port: broker.tlsPort ?? 0 };
    expect(await open().send(delivery({ config: { ...tls, ca: authority } }))).toMatchObject({
      status: 'succeeded',
    });
    expect(await open().send(delivery({ config: tls }))).toMatchObject({
      status: 'failed',
      error: { code: 'amqp_connection_failed', retryable: true },
    });
  });

  it('presents its client certificate to a broker that requests one', async () => {
    await createQueue('orders');
    const clients = await createAuthority('Clients');
    const { certificate, privateKey } = await clients.issue('postrider');
    const own = await clients.issue('broker');
    // What asks for the certificate is in front of the broker: TLS is the same on both sides.
    const front = createTlsServer(
      { cert: own.certificate, key: own.privateKey, ca: clients.certificate, requestCert: true },
      (socket) => {
        const behind = connectTcp(broker.port, '127.0.0.1');
        for (const end of [socket, behind]) end.on('error', () => undefined);
        socket.pipe(behind).pipe(socket);
      },
    );
    await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
    closing.push(async () => front.close());
    const { port } = front.address() as { port: number };
    const tls = { tls: true, port, ca: clients.certificate };
    const credentials = { password: 'guest', private_key: privateKey };
    expect(
      await open().send(delivery({ config: { ...tls, certificate }, details: { credentials } })),
    ).toMatchObject({ status: 'succeeded' });
    expect(await open().send(delivery({ config: tls }))).toMatchObject({
      status: 'failed',
      error: { code: 'amqp_connection_failed', retryable: true },
    });
    expect(await open().send(delivery({ config: { ...tls, certificate } }))).toMatchObject({
      status: 'failed',
      error: { code: 'amqp_auth_failed' },
    });
  });
});

describe('the password of an AMQP channel', () => {
  it('is required again for another host, port or authority, and without TLS', () => {
    const config = AMQP_SETTINGS.config.toStored({
      host: 'mq.example.com',
      username: 'u',
      exchange: 'events',
      ca: 'x',
    });
    const before = { config, credentials: new Set(['password']) };
    const issuesOf = (changed: object) =>
      amqpKind.credentials?.change(before, { given: {}, config: { ...config, ...changed } }).issues;
    expect(issuesOf({ exchange: 'other' })).toEqual([]);
    for (const changed of [{ host: 'other.example.com' }, { port: 1 }, { ca: undefined }, { tls: false }]) {
      expect(issuesOf(changed)).toMatchObject([{ path: '/password', code: 'required' }]);
    }
  });
});

describe('a channel of kind amqp', () => {
  const refused = { code: 'amqp_connection_failed', retryable: false };

  it('sends no unencrypted password to another machine', async () => {
    const sender = open(createAddressPolicy(['10.0.0.0/8', '127.0.0.0/8']));
    expect(await sender.send(delivery({ config: { host: '10.0.0.1' } }))).toMatchObject({
      status: 'failed',
      error: { ...refused, message: expect.stringContaining('Without TLS') },
    });
  });

  it('fails with certainty if the broker sends no greeting within the time limit', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const result = await open().send(delivery({ config: { port }, details: { timeoutMs: 300 } }));
    server.close();
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'amqp_connection_failed', retryable: true },
    });
  });
});
