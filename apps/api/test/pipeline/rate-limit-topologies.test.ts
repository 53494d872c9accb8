import { startRedisBehindSentinel, startRedisCluster } from '@postrider/local-stack/testing';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { createRateLimiter, openRateLimitRedis } from '../../src/rate-limit/buckets.ts';
import { until } from '../support/waiting.ts';

const BURST = 37;
/** So slow that nothing comes back while a test runs. */
const RATE = { requestsPerSecond: 0.001, burst: BURST };
const PATIENT_MS = 30_000;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The rate limiter of one API process. */
async function openLimiter(redisUrl: string) {
  const fallbacks: unknown[] = [];
  const redis = openRateLimitRedis(redisUrl, () => undefined);
  closing.push(async () => redis.disconnect());
  await until(() => redis.status === 'ready');
  const take = createRateLimiter({
    redis,
    prefix: 'test',
    now: Date.now,
    monotonicMs: () => performance.now(),
    redisTimeoutMs: PATIENT_MS,
    onFallback: (error) => fallbacks.push(error),
  });
  return { redis, take, fallbacks };
}

type Limiter = Awaited<ReturnType<typeof openLimiter>>;

async function allowedOf(limiters: readonly Limiter[], takes: number, bucket: string): Promise<number> {
  const taken = await Promise.all(
    Array.from({ length: takes }, (_, index) => limiters[index % limiters.length]?.take(bucket, RATE)),
  );
  return taken.filter((answer) => answer?.taken).length;
}

describe('the rate limit', () => {
  it('is shared by two processes in Cluster mode, with buckets on every node', async () => {
    const cluster = await startRedisCluster('test');
    closing.push(cluster.stop);
    const limiters = [await openLimiter(cluster.url), await openLimiter(cluster.url)];
    const buckets = Array.from({ length: 12 }, (_, index) => `bucket-${index}`);
    const allowed = await Promise.all(buckets.map((bucket) => allowedOf(limiters, 2 * BURST, bucket)));
    expect(allowed).toEqual(buckets.map(() => BURST));
    expect(limiters.flatMap(({ fallbacks }) => fallbacks)).toEqual([]);
  }, 180_000);

  it('is shared by two processes behind Sentinel, and keeps its state after a failover', async () => {
    const sentinel = await startRedisBehindSentinel();
    closing.push(sentinel.stop);
    const [one, two] = [await openLimiter(sentinel.url), await openLimiter(sentinel.url)];
    expect(await allowedOf([one, two], 10, 'bucket')).toBe(10);
    await one.redis.wait(1, PATIENT_MS);
    await sentinel.failOver();
    await until(() => one.redis.status === 'ready' && two.redis.status === 'ready');
    expect(await allowedOf([one, two], 2 * BURST, 'bucket')).toBe(BURST - 10);
    expect([...one.fallbacks, ...two.fallbacks]).toEqual([]);
  }, 180_000);
});
