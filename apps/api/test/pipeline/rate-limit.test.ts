import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { singleRedisServerUrl, testRedisUrl } from '@postrider/db/testing';
import { removeKeys } from '@postrider/local-stack/testing';
import type { RedisClient } from '@postrider/queue';
import { startTcpProxy, type TcpProxy } from '@postrider/rig';
import { afterAll, afterEach, describe, expect, it } from '@postrider/testing';
import { createRateLimiter, openRateLimitRedis } from '../../src/rate-limit/buckets.ts';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const prefix = `test-${randomBytes(6).toString('hex')}`;
const clients: RedisClient[] = [];
const proxies: TcpProxy[] = [];

/** Long enough for any machine: where sharing is tested, Redis is there, and only slowness could make a process fall back. */
const PATIENT_MS = 30_000;

/** The rate limiter of one API process. */
async function openLimiter(redisUrl = testRedisUrl(), redisTimeoutMs = PATIENT_MS) {
  const fallbacks: unknown[] = [];
  const redis = openRateLimitRedis(redisUrl, () => undefined);
  clients.push(redis);
  await until(() => redis.status === 'ready');
  const takeBucketTokens = createRateLimiter({
    redis,
    prefix,
    now: Date.now,
    monotonicMs: () => performance.now(),
    redisTimeoutMs,
    onFallback: (error) => fallbacks.push(error),
  });
  return { redis, takeBucketTokens, fallbacks };
}

async function openProxy(): Promise<TcpProxy> {
  const proxy = await startTcpProxy(singleRedisServerUrl());
  proxies.push(proxy);
  return proxy;
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  for (const proxy of proxies.splice(0)) await proxy.close();
});
afterAll(async () => {
  for (const url of new Set([testRedisUrl(), singleRedisServerUrl()])) {
    const redis = openRateLimitRedis(url, () => undefined);
    await until(() => redis.status === 'ready');
    await removeKeys(redis, prefix);
    redis.disconnect();
  }
});

const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('the rate limit', () => {
  it("applies the plan's limit over two API processes, for reads and writes together", async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 1, burst: 20 } });
    const one = await openLimiter();
    const two = await openLimiter();
    const apis = [await world.more(one), await world.more(two)];
    const redisTime = async () => {
      const [seconds, microseconds] = await one.redis.time();
      return Number(seconds) + Number(microseconds) / 1e6;
    };
    const begun = await redisTime();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const api = apis[index % 2] ?? world.api();
        return index % 4 < 2 ? api.get('/api/v1/limits', token) : api.postEvent(token);
      }),
    );
    const passed = count(answers, 200) + count(answers, 201);
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(20 + Math.ceil((await redisTime()) - begun));
    expect(count(answers, 429)).toBe(100 - passed);
    expect([...one.fallbacks, ...two.fallbacks]).toEqual([]);
  });

  it('admits exactly a burst through two concurrent limiters', async () => {
    const one = await openLimiter();
    const two = await openLimiter();
    const rate = { requestsPerSecond: 0.001, burst: 37 };
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, index) => (index % 2 ? one : two).takeBucketTokens('race', rate)),
    );
    expect(taken.filter(({ taken: count }) => count === 1)).toHaveLength(37);
    expect(Math.max(...taken.map(({ remaining }) => remaining))).toBe(36);
  });

  it('sends RateLimit-Policy and RateLimit, and an accurate Retry-After in a 429', async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 2, burst: 3 } });
    const api = await world.more(await openLimiter());
    const read = () => api.get('/api/v1/limits', token);
    const first = await read();
    expect(first.headers['ratelimit-policy']).toBe('"default";q=3;w=2');
    expect(first.headers.ratelimit).toBe('"default";r=2;t=1');
    const answers = await Promise.all(Array.from({ length: 50 }, read));
    const refused = answers.find((answer) => answer.status === 429);
    if (!refused) throw new Error('none of 50 requests at once was refused');
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers.ratelimit).toMatch(/^"default";r=0;t=[12]$/);
    expect(refused.headers['retry-after']).toBe('1');
    await delay(Number(refused.headers['retry-after']) * 1_000);
    expect((await read()).status).toBe(200);
  });

  it('is consumed only by new events: replays and conflicts return their token', async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 1, burst: 3 } });
    const { takeBucketTokens } = await openLimiter();
    const api = await world.more({
      // No token flows back while the test runs.
      takeBucketTokens: (bucket, rate, tokens) =>
        takeBucketTokens(bucket, { ...rate, requestsPerSecond: 0.001 }, tokens),
    });
    const [event, key] = [JSON.stringify(anEvent()), randomUUID()];
    const first = await api.postEvent(token, event, key);
    const replays = await Promise.all(Array.from({ length: 10 }, () => api.postEvent(token, event, key)));
    expect(replays.map(({ text }) => text)).toEqual(replays.map(() => first.text));
    const other = await api.postEvent(token, `${event} `, key);
    expect(other.body.error.code).toBe('idempotency_conflict');
    const news = [];
    for (let count = 0; count < 3; count += 1) news.push((await api.postEvent(token, event)).status);
    expect(news).toEqual([201, 201, 429]);
    expect((await api.postEvent(token, event, key)).text).toBe(first.text);
  });

  it('needs no look-up of a stored response for a new event', async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 1_000, burst: 1_000 } });
    const lookUp = world.api().deps.findStoredResponse;
    let lookUps = 0;
    const api = await world.more({
      ...(await openLimiter()),
      findStoredResponse: (claim) => {
        lookUps += 1;
        return lookUp(claim);
      },
    });
    const key = randomUUID();
    const body = anEvent();
    for (const status of await Promise.all(Array.from({ length: 20 }, () => api.postEvent(token)))) {
      expect(status.status).toBe(201);
    }
    expect((await api.postEvent(token, body, key)).status).toBe(201);
    expect(lookUps).toBe(0);
    expect((await api.postEvent(token, body, key)).headers['idempotent-replayed']).toBe('true');
    expect(lookUps).toBe(1);
  });

  it('has a separate bucket per environment', async () => {
    const one = await world.environment({ plan: { requestsPerSecond: 1, burst: 1 } });
    const other = await world.environment({ tenantId: one.tenantId });
    const { takeBucketTokens } = await openLimiter();
    const api = await world.more({
      // A plan's slowest rate gives a token back within a second, which may pass before the third request.
      takeBucketTokens: (bucket, rate, tokens) =>
        takeBucketTokens(bucket, { ...rate, requestsPerSecond: 0.001 }, tokens),
    });
    expect((await api.get('/api/v1/limits', one.token)).status).toBe(200);
    expect((await api.get('/api/v1/limits', other.token)).status).toBe(200);
    expect((await api.get('/api/v1/limits', one.token)).status).toBe(429);
  });

  it('sends no headers on a plan without a rate', async () => {
    const { token } = await world.environment();
    const response = await world.api().get('/api/v1/limits', token);
    expect(response.headers.ratelimit).toBeUndefined();
    expect(response.headers['ratelimit-policy']).toBeUndefined();
  });

  it('leaves no key when a bucket is full again', async () => {
    const limiter = await openLimiter();
    await limiter.takeBucketTokens('fades', { requestsPerSecond: 1_000, burst: 5 });
    await until(async () => (await limiter.redis.exists(`${prefix}:rate:fades`)) === 0);
  });
});

describe('the rate limit without Redis', () => {
  it('uses a bucket of the process while Redis is down, and shares again when it is back', async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 1, burst: 5 } });
    const proxy = await openProxy();
    const limiter = await openLimiter(proxy.url);
    const api = await world.more(limiter);
    expect((await api.postEvent(token)).status).toBe(201);
    proxy.set('reset');
    await until(() => limiter.redis.status !== 'ready');
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.postEvent(token)));
    expect(count(answers, 201)).toBeGreaterThanOrEqual(5);
    expect(count(answers, 429)).toBeGreaterThan(0);
    expect(count(answers, 201) + count(answers, 429)).toBe(20);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"default";q=5;w=5');
    proxy.set(null);
    await until(() => limiter.redis.status === 'ready');
    const shared = await limiter.takeBucketTokens('back', { requestsPerSecond: 0.001, burst: 1 });
    expect(shared.taken).toBe(1);
    const other = await openLimiter(singleRedisServerUrl());
    const refused = await other.takeBucketTokens('back', { requestsPerSecond: 0.001, burst: 1 });
    expect(refused.taken).toBe(0);
  });

  it('does not wait for a hanging Redis, and rarely retries it', async () => {
    const proxy = await openProxy();
    const limiter = await openLimiter(proxy.url, 100);
    proxy.set('swallow');
    const rate = { requestsPerSecond: 0.001, burst: 2 };
    const first = await limiter.takeBucketTokens('hangs', rate);
    const second = await limiter.takeBucketTokens('hangs', rate);
    const third = await limiter.takeBucketTokens('hangs', rate);
    expect([first.taken, second.taken, third.taken]).toEqual([1, 1, 0]);
    expect(limiter.fallbacks).toHaveLength(1);
  });
});
