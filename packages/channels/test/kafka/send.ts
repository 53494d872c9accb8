import { createServer, type Server } from 'node:net';
import { type KafkaCluster, type KafkaOptions, startKafkaCluster } from '@postrider/rig';
import { afterEach } from '@postrider/testing';
import type { JsonContent } from '../../src/json-template.ts';
import { createKafkaSender } from '../../src/kafka/sender.ts';
import type { Delivery, Sender, SenderOptions } from '../../src/sender.ts';
import { type Details, loopbackAllowed, webhookDelivery } from '../support/delivery.ts';

/** Closed after each test, the last one first. */
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

export function open(options: Partial<SenderOptions> = {}): Sender<JsonContent> {
  const sender = createKafkaSender({ isAddressAllowed: loopbackAllowed, ...options });
  closing.push(sender.close);
  return sender;
}

interface Settings {
  readonly brokers: readonly string[];
  readonly config?: Record<string, string | number | boolean>;
  readonly body?: string;
  readonly orderingKey?: string | null;
  readonly details?: Details<JsonContent>;
}

/** A delivery to the topic of the test, without TLS. */
export function delivery({
  brokers,
  config = {},
  body,
  orderingKey = null,
  details = {},
}: Settings): Delivery<JsonContent> {
  const content = body === undefined ? {} : { content: { body } };
  const made = webhookDelivery({ url: '' }, { ...content, ...details });
  return {
    ...made,
    message: { ...made.message, orderingKey },
    channel: {
      ...made.channel,
      config: { brokers: [...brokers], tls: false, topic: 'orders', ...config },
    },
  };
}

/** A server on loopback that calls `onData` for every chunk. */
export async function startServer(onData: (write: (bytes: Buffer) => void) => void, host = '127.0.0.1') {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.on('data', () => onData((bytes) => socket.write(bytes)));
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  closing.push(() => new Promise((closed) => server.close(closed)));
  const { port } = server.address() as { port: number };
  return { address: `127.0.0.1:${port}`, port, connections: () => connections };
}
