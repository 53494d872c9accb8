import { type BucketRate, type TokenTaken, takeToken, withDeadline } from '@postrider/domain';
import { BreakerOpenError, createBreaker, openRedis, type RedisClient } from '@postrider/queue';
import { LRUCache } from 'lru-cache';
import type { TakeBucketToken } from '../pipeline/limits.ts';

const REDIS_TIMEOUT_MS = 100;
/**
 * After a failure Redis is left alone for this long: a Redis that hangs costs one request a second its 100
 * ms, not every one.
 */
const COOLDOWN_MS = 1_000;

export interface SharedBucketsDeps {
  readonly redis: RedisClient;
  /** Keys are `<prefix>:rate:<bucket>`. */
  readonly prefix: string;
  /** Wall clock in ms, for the buckets of this process. */
  readonly now: () => number;
  /** Ms on the monotonic clock. */
  readonly monotonicNow: () => number;
  /** A request never waits longer than this for Redis. */
  readonly redisTimeoutMs?: number;
  /**
   * Called for each failure that made requests fall back; at most one per second and a few that were under way.
   */
  readonly onFallback: (error: unknown) => void;
}

type ScriptReply = [allowed: number, remaining: number, retryAfterMs: number, resetMs: number];

/**
 * Token buckets shared by all API processes through Redis. While Redis is out of reach, or slow, requests are
 * let through by a bucket of this process, which guards the service but knows nothing of other processes
 * (docs/specification.md, "Rate limit").
 */
export function createSharedBuckets(deps: SharedBucketsDeps): TakeBucketToken {
  const { redis, prefix, now, monotonicNow, onFallback, redisTimeoutMs = REDIS_TIMEOUT_MS } = deps;
  const takeLocally = createLocalBuckets(now);
  const breaker = createBreaker({ cooldownMs: COOLDOWN_MS, onOpen: () => undefined, now: monotonicNow });
  redis.defineCommand('postriderTakeToken', { numberOfKeys: 1, lua: TAKE_TOKEN_SCRIPT });

  async function takeFromRedis(
    bucket: string,
    { requestsPerSecond, burst }: BucketRate,
  ): Promise<TokenTaken> {
    const call = (
      redis as RedisClient & { postriderTakeToken: (...args: unknown[]) => Promise<ScriptReply> }
    ).postriderTakeToken(`${prefix}:rate:${bucket}`, requestsPerSecond, burst);
    const [allowed, remaining, retryAfterMs, resetMs] = await withDeadline(
      call,
      redisTimeoutMs,
      'taking a token',
    );
    return { allowed: allowed === 1, remaining, retryAfterMs, resetMs, nextState: 0 };
  }

  return async (bucket, rate) => {
    if (redis.status !== 'ready') return takeLocally(bucket, rate);
    try {
      return await breaker.run(() => takeFromRedis(bucket, rate));
    } catch (error) {
      if (!(error instanceof BreakerOpenError)) onFallback(error);
      return takeLocally(bucket, rate);
    }
  };
}

/**
 * The domain's `takeToken` (generic cell rate algorithm) as one atomic step on Redis' clock, so that all API
 * processes share a bucket and no process clock matters. KEYS[1] holds the theoretical arrival time in ms;
 * ARGV are requests per second and burst. Returns {allowed, remaining, retry after ms, reset ms}. The key
 * lives until its bucket is full again.
 */
export const TAKE_TOKEN_SCRIPT = `
local steps_per_ms = 4096
local interval = math.max(1, math.floor(1000 * steps_per_ms / tonumber(ARGV[1]) + 0.5)) / steps_per_ms
local capacity = interval * tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local state = tonumber(redis.call('GET', KEYS[1]) or now)
local backlog = math.min(math.max(state - now, 0), capacity)
local wait = backlog + interval - capacity
if wait > 0 then
  return {0, 0, math.ceil(wait), math.ceil(backlog)}
end
backlog = backlog + interval
redis.call('SET', KEYS[1], string.format('%.17g', now + backlog), 'PX', math.ceil(backlog))
return {1, math.floor((capacity - backlog) / interval), 0, math.ceil(backlog)}
`;

/** Buckets kept; the one used longest ago goes first, and comes back full. */
const MAX_BUCKETS = 10_000;

/** Token buckets in this process's memory: the guard while Redis is out of reach. */
export function createLocalBuckets(now: () => number): (bucket: string, rate: BucketRate) => TokenTaken {
  const states = new LRUCache<string, number>({ max: MAX_BUCKETS });
  return (bucket, rate) => {
    const taken = takeToken(states.get(bucket) ?? null, Math.trunc(now()), rate);
    states.set(bucket, taken.nextState);
    return taken;
  };
}

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
