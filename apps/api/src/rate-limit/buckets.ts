import { type BucketRate, LRUCache, takeTokens, tokenInterval, withDeadline } from '@postrider/domain';
import { BreakerOpenError, createBreaker, openRedis, type RedisClient } from '@postrider/queue';
import type { ReturnableTokens, TakeBucketTokens, TokensWanted } from '../pipeline/limits.ts';
import { createTakeShared } from './shared-buckets.ts';

const ONE: TokensWanted = { wanted: 1 };
const REDIS_TIMEOUT_MS = 100;
/** The pause after a failure, so that a hanging Redis delays one request per second by 100 ms, not every request. */
const COOLDOWN_MS = 1_000;

interface SharedBucketsDeps {
  readonly redis: RedisClient;
  /** Keys are `<prefix>:rate:<bucket>`. */
  readonly prefix: string;
  /** Wall clock in ms, for the buckets of this process. */
  readonly now: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
  /** The longest wait of a request for Redis, in milliseconds. */
  readonly redisTimeoutMs?: number;
  /**
   * Called for each failure that made requests fall back: at most once per second, plus requests that were in progress.
   */
  readonly onFallback: (error: unknown) => void;
}

type Script = (...args: unknown[]) => Promise<number[]>;

/**
 * Token buckets that all API processes share through Redis. While Redis is unreachable or slow, a bucket of this process is used,
 * which protects the service but does not count requests of other processes (docs/specification.md, "Rate limit").
 */
export function createRateLimiter(deps: SharedBucketsDeps): TakeBucketTokens {
  const { redis, prefix, now, monotonicMs, onFallback, redisTimeoutMs = REDIS_TIMEOUT_MS } = deps;
  const takeLocally = createLocalBuckets(now);
  const breaker = createBreaker({ cooldownMs: COOLDOWN_MS, onOpen: () => undefined, now: monotonicMs });
  redis.defineCommand('postriderTakeTokens', { numberOfKeys: 1, lua: TAKE_TOKENS_SCRIPT });
  redis.defineCommand('postriderGiveTokens', { numberOfKeys: 1, lua: GIVE_TOKENS_SCRIPT });
  const commands = redis as RedisClient & Record<'postriderTakeTokens' | 'postriderGiveTokens', Script>;

  const keyOf = (bucket: string) => `${prefix}:rate:${bucket}`;

  const takeShared = createTakeShared({
    async take(bucket, { requestsPerSecond, burst }, wanted) {
      const [taken = 0, remaining = 0, retryAfterMs = 0, resetMs = 0] = await breaker.run(() =>
        withDeadline(
          commands.postriderTakeTokens(keyOf(bucket), requestsPerSecond, burst, wanted),
          redisTimeoutMs,
          'taking tokens',
        ),
      );
      return { taken, remaining, retryAfterMs, resetMs };
    },
    async give(bucket, { requestsPerSecond }, count) {
      const given = commands.postriderGiveTokens(keyOf(bucket), requestsPerSecond, count);
      await withDeadline(given, redisTimeoutMs, 'giving tokens back');
    },
  });

  return async (bucket, rate, tokens = ONE) => {
    if (redis.status !== 'ready') return takeLocally(bucket, rate, tokens);
    try {
      return await takeShared(bucket, rate, tokens);
    } catch (error) {
      if (!(error instanceof BreakerOpenError)) onFallback(error);
      return takeLocally(bucket, rate, tokens);
    }
  };
}

/**
 * The domain's `takeTokens` (generic cell rate algorithm) as one atomic step on Redis' clock, so that all API
 * processes share a bucket and no process clock matters. KEYS[1] holds the theoretical arrival time in ms;
 * ARGV are requests per second, burst and the tokens wanted. Returns {taken, remaining, retry after ms, reset ms}. The key
 * lives until its bucket is full again.
 */
const TAKE_TOKENS_SCRIPT = `
local steps_per_ms = 4096
local interval = math.max(1, math.floor(1000 * steps_per_ms / tonumber(ARGV[1]) + 0.5)) / steps_per_ms
local capacity = interval * tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local state = tonumber(redis.call('GET', KEYS[1]) or now)
local backlog = math.min(math.max(state - now, 0), capacity)
local wanted = tonumber(ARGV[3])
local taken = math.min(wanted, math.floor((capacity - backlog) / interval))
backlog = backlog + taken * interval
if taken > 0 then
  redis.call('SET', KEYS[1], string.format('%.17g', now + backlog), 'PX', math.ceil(backlog))
end
local wait = 0
if taken < wanted then
  wait = math.max(1, math.ceil(backlog + interval - capacity))
end
return {taken, math.floor((capacity - backlog) / interval), wait, math.ceil(backlog)}
`;

/**
 * Returns unused tokens. KEYS[1] as in {@link TAKE_TOKENS_SCRIPT}; ARGV are requests per second and the tokens. Does
 * nothing if the bucket is full.
 */
const GIVE_TOKENS_SCRIPT = `
local steps_per_ms = 4096
local interval = math.max(1, math.floor(1000 * steps_per_ms / tonumber(ARGV[1]) + 0.5)) / steps_per_ms
local state = redis.call('GET', KEYS[1])
if not state then
  return {}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local backlog = tonumber(state) - now - interval * tonumber(ARGV[2])
if backlog <= 0 then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], string.format('%.17g', now + backlog), 'PX', math.ceil(backlog))
end
return {}
`;

/** Cached buckets. The least recently used one is evicted and starts full again. */
const MAX_BUCKETS = 10_000;

/** Token buckets in this process's memory, used while Redis is unreachable. */
export function createLocalBuckets(
  now: () => number,
): (bucket: string, rate: BucketRate, tokens?: TokensWanted) => ReturnableTokens {
  const states = new LRUCache<string, number>({ max: MAX_BUCKETS });
  return (bucket, rate, tokens = ONE) => {
    const taken = takeTokens(states.get(bucket) ?? null, Math.trunc(now()), rate, tokens);
    states.set(bucket, taken.nextState);
    return {
      ...taken,
      giveBack(count) {
        const state = states.get(bucket);
        if (state !== undefined) states.set(bucket, state - count * tokenInterval(rate));
      },
    };
  };
}

const SILENCE_LIMIT_MS = 5_000;

/**
 * Opens the rate limiter's client. Without Redis its commands fail immediately while it keeps reconnecting, so a
 * process starts and works while Redis is down. `onError` is called for every failed attempt: limit what it logs.
 */
export function openRateLimitRedis(redisUrl: string, onError: (error: unknown) => void): RedisClient {
  const redis = openRedis(redisUrl, { offline: 'fail-fast', silenceLimitMs: SILENCE_LIMIT_MS });
  redis.on('error', onError);
  return redis;
}
