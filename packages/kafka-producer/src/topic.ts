import { randomInt } from 'node:crypto';
import { type BrokerAddress, BrokerError } from './connection.ts';
import { refusal } from './errors.ts';
import type { Metadata } from './messages.ts';
import { murmur2 } from './wire.ts';

/** Limits of a cluster's metadata that are kept. */
const MAX_KNOWN_BROKERS = 1_000;
const MAX_PARTITIONS = 10_000;
/** RFC 1035 section 2.3.4, without the root's dot. */
const MAX_HOST_LENGTH = 253;

/** What a producer knows of its topic. */
export interface Topic {
  readonly brokers: ReadonlyMap<number, BrokerAddress>;
  /** The leaders of the partitions, by their indexes. */
  readonly leaders: readonly number[];
  readonly readAt: number;
}

/** Reads the topic from a response. Throws for an error, and for metadata that exceeds the limits. */
export function readTopic({ brokers, topics }: Metadata, name: string, readAt: number): Topic {
  const topic = topics.find((each) => each.name === name);
  if (!topic) throw new BrokerError('protocol', 'the broker did not report the topic');
  if (topic.error !== 0) throw refusal(topic.error, 'topic');
  if (brokers.length > MAX_KNOWN_BROKERS || topic.partitions.length > MAX_PARTITIONS) {
    throw new BrokerError('protocol', 'the topic has more brokers or partitions than are supported');
  }
  if (brokers.some(({ host }) => host === '' || host.length > MAX_HOST_LENGTH)) {
    throw new BrokerError('protocol', "invalid host name in the cluster's metadata");
  }
  const leaders: number[] = [];
  for (const { index, leader } of topic.partitions) {
    if (index >= 0 && index < topic.partitions.length) leaders[index] = leader;
  }
  return { brokers: new Map(brokers.map(({ id, host, port }) => [id, { host, port }])), leaders, readAt };
}

/** The partition of a record: by its key like Kafka's own client; without one by the text, or at random. */
export function partitionOf(key: Buffer | null, spreadBy: string | undefined, count: number): number {
  if (!key && spreadBy === undefined) return randomInt(count);
  return (murmur2(key ?? Buffer.from(spreadBy ?? '')) & 0x7fffffff) % count;
}
