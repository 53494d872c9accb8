import { type KafkaCluster, type KafkaOptions, startKafkaCluster } from '@postrider/rig';
import { afterEach } from '@postrider/testing';
import type { KafkaError } from '../../src/errors.ts';
import type { KafkaRecord } from '../../src/messages.ts';
import { createKafkaProducer, type KafkaProducer, type ProducerOptions } from '../../src/producer.ts';

const closing: (() => unknown)[] = [];

/** Closes what a test has started when it is over. Call it once in a test file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
}

export async function start(options: KafkaOptions = {}): Promise<KafkaCluster> {
  const cluster = await startKafkaCluster(options);
  closing.push(cluster.close);
  return cluster;
}

/** `host:port` as the options of a producer have it. */
export function addressOf(broker: string) {
  const [host = '', port] = broker.split(':');
  return { host, port: Number(port) };
}

/** A producer for the topic `orders` of these brokers. */
export function open(
  brokers: readonly string[],
  options: Partial<Omit<ProducerOptions, 'brokers'>> = {},
): KafkaProducer {
  const producer = createKafkaProducer({ topic: 'orders', ...options, brokers: brokers.map(addressOf) });
  closing.push(producer.close);
  return producer;
}

export const record = (value = 'a', key: string | null = null): KafkaRecord => ({
  key: key === null ? null : Buffer.from(key),
  value: Buffer.from(value),
  headers: [['name', 'välue']],
  timestampMs: Date.parse('2026-11-21T09:30:00.000Z'),
});

/** `stored`, or the error of the call. */
export const resultOf = (sending: Promise<unknown>): Promise<'stored' | KafkaError> =>
  sending.then(
    () => 'stored' as const,
    (error: KafkaError) => error,
  );
