import { openRedis, type RedisClient } from '@postrider/queue';

const SILENCE_LIMIT_MS = 5_000;

/**
 * Opens the client of the rate limiter. Without Redis its commands fail at once and it reconnects for ever,
 * so a process starts and works while Redis is down. `onError` hears every failed attempt: bound what it
 * logs.
 */
export function openRateLimitRedis(redisUrl: string, onError: (error: unknown) => void): RedisClient {
  const redis = openRedis(redisUrl, { offline: 'fail-fast', silenceLimitMs: SILENCE_LIMIT_MS });
  redis.on('error', onError);
  return redis;
}
