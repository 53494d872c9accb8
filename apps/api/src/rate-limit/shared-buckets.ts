import { type BucketRate, type TokenTaken, withDeadline } from '@postrider/domain';
import type { RedisClient } from '@postrider/queue';
import type { TakeBucketToken } from '../pipeline/enforce-rate-limit.ts';
import { createLocalBuckets } from './local-buckets.ts';
import { TAKE_TOKEN_SCRIPT } from './take-token-script.ts';

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
   * Hears each failure that made requests fall back; at most one per second and a few that were under way.
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
  let retryAt = Number.NEGATIVE_INFINITY;
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
    if (redis.status !== 'ready' || monotonicNow() < retryAt) return takeLocally(bucket, rate);
    try {
      return await takeFromRedis(bucket, rate);
    } catch (error) {
      retryAt = monotonicNow() + COOLDOWN_MS;
      onFallback(error);
      return takeLocally(bucket, rate);
    }
  };
}
