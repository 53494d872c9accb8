import type { ChannelKind } from '@postrider/domain';
import keySlot from 'cluster-key-slot';
import { jobId, type RunToEnqueue } from './job.ts';
import type { RedisClient } from './redis.ts';

/** The queue of a kind of channel: each has its own, so that a backlog of one does not delay the others. */
export const queueName = (kind: ChannelKind): string => `postrider-${kind}`;

/** Prefix of every key in Redis; tests take another so that they do not meet. */
export const DEFAULT_KEY_PREFIX = 'postrider';

/** Of a Redis Cluster. */
const SLOTS = 16_384;
/** How far from its place on the ring a tag's slot may be. */
const TOLERANCE = 64;

/**
 * Where a shard is on the ring of slots, from 0 to 1 after the first one: thirds, then halves of what is between. So 3, 6,
 * 12 and 24 shards are spread evenly over as many primaries of equal size, and a shard stays where it is when there are more.
 */
function placeOf(shard: number): number {
  if (shard < 3) return shard / 3;
  const level = Math.floor(Math.log2(shard / 3));
  const first = 3 * 2 ** level;
  return (2 * (shard - first) + 1) / (2 * first);
}

/** The hash tag of a shard: the same in every process, whatever their number of shards. That of the first is the prefix. */
export function shardTag(prefix: string, shard: number): string {
  if (shard === 0) return prefix;
  const wanted = (keySlot(prefix) + Math.round(placeOf(shard) * SLOTS)) % SLOTS;
  for (let salt = 0; ; salt += 1) {
    const tag = `${prefix}-${shard}-${salt}`;
    const distance = Math.abs(keySlot(tag) - wanted);
    if (Math.min(distance, SLOTS - distance) <= TOLERANCE) return tag;
  }
}

/**
 * The prefix of the keys of a shard's queues. In a Cluster its braces (a hash tag) keep all of them on one node, which
 * BullMQ's scripts need.
 */
export function queuePrefix(redis: RedisClient, prefix: string, shard = 0): string {
  const tag = shardTag(prefix, shard);
  return redis.isCluster ? `{${tag}}` : tag;
}

/** The shard of a job, by its id: a job that is added again meets itself. */
export function shardOf(runs: readonly RunToEnqueue[], shards: number): number {
  return shards === 1 ? 0 : keySlot(jobId(runs)) % shards;
}
