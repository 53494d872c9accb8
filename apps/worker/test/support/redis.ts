import { Redis } from 'ioredis';

/** Removes everything under a key prefix: FLUSHALL for one test, on a Redis that others use. */
export async function flushPrefix(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length > 0) await redis.unlink(...keys);
  } finally {
    redis.disconnect();
  }
}
