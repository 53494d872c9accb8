import type { ChannelKind } from '@postrider/domain';
import keySlot from 'cluster-key-slot';
import type { RedisClient } from './redis.ts';

/** The queue of a channel kind. Each kind has its own, so that a backlog of one does not delay the others. */
export const queueName = (kind: ChannelKind): string => `postrider-${kind}`;

/** The prefix of all keys in Redis. Each test uses its own, so that tests do not interfere. */
export const DEFAULT_KEY_PREFIX = 'postrider';

/** Slots of a Redis Cluster. */
const SLOTS = 16_384;
/** The largest distance between a tag's slot and its place on the ring. */
const TOLERANCE = 64;

/**
 * The place of a shard on the ring of slots, from 0 to 1 relative to the first one: thirds, then halves of the gaps. So
 * 3, 6, 12 and 24 shards are spread evenly over as many primaries of equal size, and a shard keeps its place when
 * shards are added.
 */
function placeOf(shard: number): number {
  if (shard < 3) return shard / 3;
  const level = Math.floor(Math.log2(shard / 3));
  const first = 3 * 2 ** level;
  return (2 * (shard - first) + 1) / (2 * first);
}

/** The hash tag of a shard, the same for any number of shards. The tag of the first shard is the prefix. */
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
 * The key prefix of a shard's queues. In a Cluster the braces (a hash tag) keep all keys on one node, as BullMQ's
 * scripts require.
 */
export function queuePrefix(redis: RedisClient, prefix: string, shard = 0): string {
  const tag = shardTag(prefix, shard);
  return redis.isCluster ? `{${tag}}` : tag;
}

/** The shard of a job, derived from its id, so that a job that is added twice is found. */
export function shardOf(jobId: string, shards: number): number {
  return shards === 1 ? 0 : keySlot(jobId) % shards;
}
