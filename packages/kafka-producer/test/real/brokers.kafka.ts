import { once } from 'node:events';
import { connect as openTls } from 'node:tls';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { Connect } from '../../src/connection.ts';
import type { KafkaError } from '../../src/errors.ts';
import { createKafkaProducer, type KafkaProducer, type StoredRecord } from '../../src/producer.ts';
import type { SaslMechanism } from '../../src/sasl.ts';
import { addressOf, record, resultOf } from '../support/producer.ts';
import { findKafka, type RealCluster, startCluster, USERS } from './kafka.ts';

/** Four starts of Java on a busy machine, and the download. */
const LONG_MS = 900_000;
const KEYS = 8;
const producers: KafkaProducer[] = [];
let cluster: RealCluster;

beforeAll(async () => {
  cluster = await startCluster(await findKafka());
}, LONG_MS);
afterAll(async () => {
  for (const producer of producers) producer.close();
  await cluster?.stop();
}, LONG_MS);

const connect: Connect = async ({ host, port }, signal) => {
  const socket = openTls({ host, port, ca: cluster.ca });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await once(socket, 'secureConnect');
  return socket;
};

interface Settings {
  readonly topic: string;
  readonly user?: keyof typeof USERS;
  readonly password?: string;
  readonly mechanism?: SaslMechanism;
}

function open({ topic, user = 'writer', password = USERS[user], mechanism = 'SCRAM-SHA-512' }: Settings) {
  const brokers = cluster.brokers.map(addressOf);
  const sasl = { mechanism, username: user, password };
  const producer = createKafkaProducer({ brokers, topic, sasl, connect });
  producers.push(producer);
  return producer;
}

describe('a Kafka producer with two brokers of Apache Kafka, SASL, TLS and ACLs', () => {
  it(
    'stores records that Kafka reads unchanged, where it says, and reports each refusal',
    async () => {
      await cluster.createTopic('orders', 3);
      const sent: StoredRecord[] = [];
      for (const mechanism of ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const) {
        sent.push(
          await open({ topic: 'orders', mechanism }).send(record(`{"by":"${mechanism}"}`, 'ünïcode')),
        );
      }
      const code = async (producer: KafkaProducer, value = 'a') => {
        const result = await resultOf(producer.send(record(value)));
        return result === 'stored' ? result : [result.code, result.isFinal];
      };
      expect({
        password: await code(open({ topic: 'orders', password: 'wrong' })),
        plain: await code(open({ topic: 'orders', password: 'wrong', mechanism: 'PLAIN' })),
        permission: await code(open({ topic: 'orders', user: 'stranger' })),
        topic: await code(open({ topic: 'missing' })),
        size: await code(open({ topic: 'orders' }), 'a'.repeat(2_000_000)),
      }).toEqual({
        password: ['LOGIN_FAILED', false],
        plain: ['LOGIN_FAILED', false],
        permission: ['NOT_AUTHORIZED', false],
        topic: ['REJECTED', false],
        size: ['REJECTED', true],
      });
      const read = await cluster.read('orders');
      expect(read).toEqual(
        sent.map(({ partition, offset }, n) => ({
          ...{ partition, offset: Number(offset) },
          timestampMs: Date.parse('2026-11-21T09:30:00.000Z'),
          headers: 'name:välue',
          key: 'ünïcode',
          value: `{"by":"${['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'][n]}"}`,
        })),
      );
    },
    LONG_MS,
  );

  it(
    'loses no record, stores none twice of which it is certain, and keeps the order of each key, while a broker is killed',
    async () => {
      await cluster.createTopic('kills', 6);
      const producer = open({ topic: 'kills' });
      const confirmed = new Map<string, StoredRecord>();
      /** The records of a call that could not tell whether they are stored. */
      const uncertain = new Set<string>();
      let isOver = false;

      /** Sends the records of a key one after another, each until it is confirmed. */
      async function sendKey(key: string): Promise<void> {
        for (let n = 0; !isOver; n += 1) {
          const value = `${key}-${n}`;
          const stored = await waitFor(value, async () => {
            try {
              return await producer.send(record(value, key), { timeoutMs: 10_000 });
            } catch (error) {
              if ((error as KafkaError).code === 'UNCONFIRMED') uncertain.add(value);
              throw error;
            }
          });
          confirmed.set(value, stored);
        }
      }
      const more = (count: number) => {
        const goal = confirmed.size + count;
        return waitFor(`${count} more records`, () => confirmed.size >= goal, { timeoutMs: 300_000 });
      };
      async function killAndRestart(): Promise<void> {
        for (let kills = 0; kills < 3; kills += 1) {
          await more(300);
          await cluster.kill();
          await more(300);
          await cluster.restart();
        }
        await more(300);
        isOver = true;
      }
      await Promise.all([killAndRestart(), ...Array.from({ length: KEYS }, (_, n) => sendKey(`key-${n}`))]);

      const places = new Map<string, string[]>();
      const firsts = new Map<string, number[]>();
      for (const { key, value, partition, offset } of await cluster.read('kills')) {
        if (!places.has(value)) firsts.set(key, [...(firsts.get(key) ?? []), Number(value.split('-')[2])]);
        places.set(value, [...(places.get(value) ?? []), `${partition} ${offset}`]);
      }
      const lost = [...confirmed].filter(([value, { partition, offset }]) => {
        const stored = places.get(value) ?? [];
        return offset < 0n ? stored.length === 0 : !stored.includes(`${partition} ${offset}`);
      });
      const twice = [...places].filter(([value, { length }]) => length > 1 && !uncertain.has(value));
      const reordered = [...firsts].filter(([, numbers]) => numbers.some((number, n) => number !== n));
      process.stdout.write(
        `${confirmed.size} records confirmed, ${uncertain.size} of them uncertain at first, ${lost.length} lost, ${twice.length} twice, ` +
          `${reordered.length} keys out of order\n`,
      );
      expect({ lost, twice, reordered }).toEqual({ lost: [], twice: [], reordered: [] });
    },
    LONG_MS,
  );
});
