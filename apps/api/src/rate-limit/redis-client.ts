import { Redis } from 'ioredis';

/** ioredis would wait up to 20 s between its attempts. */
const LONGEST_RECONNECT_DELAY_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * A connection that owes an answer and has been silent for longer is dead, whatever TCP says of it: it is
 * replaced.
 */
const SILENCE_LIMIT_MS = 5_000;

/**
 * Opens the client of the rate limiter. Without Redis its commands fail at once and it reconnects for ever,
 * so a process starts and works while Redis is down. `onError` hears every failed attempt: bound what it
 * logs.
 */
export function openRateLimitRedis(redisUrl: string, onError: (error: unknown) => void): Redis {
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_LIMIT_MS,
    retryStrategy: (times) => Math.min(times * 50, LONGEST_RECONNECT_DELAY_MS),
  });
  redis.on('error', onError);
  return redis;
}
