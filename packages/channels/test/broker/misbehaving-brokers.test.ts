import {
  type BrokerCase,
  type BrokerKind,
  brokerCases,
  brokerChannel,
  type MisbehavingBroker,
  startMisbehavingBroker,
  waitFor,
} from '@postrider/rig';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { createAmqpSender } from '../../src/amqp/sender.ts';
import type { JsonContent } from '../../src/json-template.ts';
import { createKafkaSender } from '../../src/kafka/sender.ts';
import type { Delivery, Sender, SenderOptions } from '../../src/sender.ts';
import { createSqsSender } from '../../src/sqs/sender.ts';
import { loopbackAllowed, webhookDelivery } from '../support/delivery.ts';

const CREATE: Readonly<Record<BrokerKind, (options: SenderOptions) => Sender<JsonContent>>> = {
  amqp: createAmqpSender,
  kafka: createKafkaSender,
  sqs: createSqsSender,
};
/** Shorter than a late answer takes. */
const TIMEOUT_MS = 700;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function open(kind: BrokerKind): Sender<JsonContent> {
  const sender = CREATE[kind]({ isAddressAllowed: loopbackAllowed });
  closing.push(sender.close);
  return sender;
}

async function start(one: BrokerCase): Promise<MisbehavingBroker> {
  const broker = await startMisbehavingBroker(one);
  closing.push(broker.close);
  return broker;
}

function delivery(
  one: BrokerCase,
  { port }: MisbehavingBroker,
  details: { channelId?: string; timeoutMs?: number; content?: JsonContent } = {},
): Delivery<JsonContent> {
  const { config, credentials } = brokerChannel(one, port);
  const made = webhookDelivery({ url: '' }, { credentials, timeoutMs: TIMEOUT_MS, ...details });
  return { ...made, channel: { ...made.channel, config } };
}

const nameOf = ({ step, how }: BrokerCase) => `${step} ${how}`;

describe('a broker that follows its protocol', () => {
  it.each(['amqp', 'kafka', 'sqs'] as const)('of kind %s takes messages from here', async (kind) => {
    const one: BrokerCase = { kind, step: 'none', how: 'never' };
    const broker = await start(one);
    const sender = open(kind);
    for (const _ of [1, 2]) {
      const result = await sender.send(delivery(one, broker, { timeoutMs: 5_000 }));
      expect(result).toMatchObject({ status: 'succeeded' });
    }
    expect(broker.connections()).toBe(1);
  });
});

describe('a broker that misbehaves at any step of its protocol', () => {
  it.each(['amqp', 'kafka', 'sqs'] as const)(
    'ends one attempt with its reason, and nothing else: %s',
    async (kind) => {
      const sender = open(kind);
      const cases = await Promise.all(
        brokerCases(kind).map(async (one) => ({ one, broker: await start(one) })),
      );
      for (const _ of [1, 2]) {
        const results = await Promise.all(
          cases.map(async ({ one, broker }) => {
            const result = await sender.send(delivery(one, broker, { channelId: nameOf(one) }));
            if (result.status === 'succeeded') return [nameOf(one), 'ended'];
            const isExplained = result.error.code.startsWith(`${kind}_`) && result.error.message !== '';
            return [nameOf(one), isExplained ? 'ended' : result];
          }),
        );
        expect(results).toEqual(cases.map(({ one }) => [nameOf(one), 'ended']));
      }
      expect(cases.filter(({ broker }) => broker.connections() === 0)).toEqual([]);
      sender.close();
      await waitFor('all connections closed', () =>
        cases.every(({ broker }) => broker.openConnections() === 0),
      );
    },
  );
});

describe('a channel of kind amqp', () => {
  const at = (step: string, how: BrokerCase['how']): BrokerCase => ({ kind: 'amqp', step, how });

  it.each([
    // A frame of an AMQP channel that is not open yet.
    at('channel.open-ok', 'early'),
    at('connection.open-ok', 'with a stray message'),
    at('connection.open-ok', 'twice'),
    at('confirm.select-ok', 'with a stray message'),
  ])(
    'survives what comes in one write with the answer of $step, and then uses a new connection',
    async (one) => {
      const broker = await start(one);
      const sender = open('amqp');
      expect(await sender.send(delivery(one, broker))).toMatchObject({
        status: 'failed',
        error: { code: 'amqp_connection_failed' },
      });
      broker.setCase(null);
      expect(await sender.send(delivery(one, broker, { timeoutMs: 5_000 }))).toMatchObject({
        status: 'succeeded',
      });
    },
  );

  it('keeps no connection on which a message has no answer', async () => {
    const one = at('basic.ack', 'never');
    const broker = await start(one);
    const sender = open('amqp');
    for (const _ of [1, 2, 3]) {
      expect(await sender.send(delivery(one, broker, { timeoutMs: 300 }))).toMatchObject({
        status: 'unknown',
        error: { code: 'amqp_outcome_unknown' },
      });
    }
    expect(broker.connections()).toBe(3);
    await waitFor('all connections closed', () => broker.openConnections() === 0);
  });

  it('keeps the connection to a blocked broker, sends nothing until it is unblocked, and then uses a new one', async () => {
    const one = at('basic.ack', 'never');
    const broker = await start(one);
    const sender = open('amqp');
    const unanswered = sender.send(delivery(one, broker));
    await waitFor('the message', () => broker.reached('basic.ack') === 1);
    // connection.blocked with the reason "low", and connection.unblocked.
    broker.say(Buffer.from('01000000000008000a003c036c6f77ce', 'hex'));
    expect(await unanswered).toMatchObject({ status: 'unknown' });
    expect(await sender.send(delivery(one, broker))).toMatchObject({
      status: 'failed',
      error: { code: 'amqp_rejected', message: expect.stringContaining('connection.blocked') },
    });
    expect(broker.connections()).toBe(1);
    broker.setCase(null);
    broker.say(Buffer.from('01000000000004000a003dce', 'hex'));
    await waitFor('the old connection closed', () => broker.openConnections() === 0);
    expect(await sender.send(delivery(one, broker))).toMatchObject({ status: 'succeeded' });
    expect(broker.reached('basic.ack')).toBe(2);
  });

  it('reads no more in a handshake than a handshake needs', async () => {
    const one = at('connection.start', 'huge');
    const broker = await start(one);
    expect(await open('amqp').send(delivery(one, broker, { timeoutMs: 5_000 }))).toMatchObject({
      status: 'failed',
      error: {
        code: 'amqp_connection_failed',
        message: expect.stringContaining('too long AMQP 0-9-1 frame'),
      },
    });
    await waitFor('the connection closed', () => broker.openConnections() === 0);
  });
});
