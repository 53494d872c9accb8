import type { ChannelKind } from '@postrider/domain';
import { removeKeys } from '@postrider/local-stack/testing';
import { openRedis, queueName, queuePrefix, type RedisClient } from '@postrider/queue';

/** A client for tests; the caller disconnects it. */
export const connectToRedis = (redisUrl: string): RedisClient =>
  openRedis(redisUrl, { offline: 'queue', silenceLimitMs: 5_000 });

/** Removes everything under a key prefix: FLUSHALL for one test, on a Redis that others use. */
export async function flushPrefix(redisUrl: string, prefix: string): Promise<void> {
  const redis = connectToRedis(redisUrl);
  try {
    await removeKeys(redis, `${queuePrefix(redis, prefix)}:`);
  } finally {
    redis.disconnect();
  }
}

/** The number of delayed jobs of a kind. */
export async function countDelayedJobs(redisUrl: string, prefix: string, kind: ChannelKind): Promise<number> {
  const redis = connectToRedis(redisUrl);
  try {
    return await redis.zcard(`${queuePrefix(redis, prefix)}:${queueName(kind)}:delayed`);
  } finally {
    redis.disconnect();
  }
}
