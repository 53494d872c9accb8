import { randomUUID } from 'node:crypto';
import { testRedisUrl } from '@postrider/db/testing';
import { NO_LISTENER } from '@postrider/domain';
import { findKeys } from '@postrider/local-stack/testing';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createListenerRelay, openRedis, type RedisClient, type RelayedDelivery } from '../src/index.ts';

let redis: RedisClient;
beforeAll(async () => {
  redis = openRedis(testRedisUrl(), { offline: 'queue', silenceLimitMs: 10_000 });
  await redis.ping();
});
afterAll(() => {
  redis.disconnect();
});

/** The relay of a channel of its own, to which somebody listens. */
async function listened() {
  const channelId = randomUUID();
  const prefix = `test-${randomUUID()}`;
  const relay = createListenerRelay(redis, prefix);
  expect(await relay.take(channelId)).toBeNull();
  const deliver = (body: string, timeoutMs = 30_000) =>
    relay.deliver({ channelId, headers: {}, body, timeoutMs, signal: new AbortController().signal });
  const take = () => waitFor('a delivery', () => relay.take(channelId)) as Promise<RelayedDelivery>;
  const keys = () => findKeys(redis, `${prefix}:`);
  return { channelId, relay, deliver, take, keys };
}

const ANSWER = { status: 200, headers: {}, body: 'ok' };

describe('the relay to listeners', () => {
  it('passes each delivery to one listener, in order, and its answer to the worker', async () => {
    const { channelId, relay, deliver, take } = await listened();
    const first = deliver('first');
    const one = await take();
    const second = deliver('second');
    const two = await take();
    expect([one.body, two.body, await relay.take(channelId)]).toEqual(['first', 'second', null]);
    expect(await relay.answer(channelId, two.id, { ...ANSWER, status: 500 })).toBe(true);
    expect(await relay.answer(channelId, one.id, ANSWER)).toBe(true);
    expect([await first, await second]).toEqual([ANSWER, { ...ANSWER, status: 500 }]);
  });

  it('takes the first answer, and none for a delivery of another channel', async () => {
    const { channelId, relay, deliver, take } = await listened();
    const delivered = deliver('x');
    const { id } = await take();
    expect(await relay.answer(randomUUID(), id, ANSWER)).toBe(false);
    expect(await relay.answer(channelId, id, ANSWER)).toBe(true);
    expect(await relay.answer(channelId, id, { ...ANSWER, status: 500 })).toBe(false);
    expect(await delivered).toEqual(ANSWER);
  });

  it('knows at the time limit whether somebody may have posted it', async () => {
    const { channelId, relay, deliver, take } = await listened();
    expect(await deliver('never taken', 1)).toEqual({ error: NO_LISTENER, connected: false });
    expect(await relay.take(channelId)).toBeNull();
    const taken = deliver('taken', 3_000);
    const { id } = await take();
    expect(await taken).toEqual({ error: 'ETIMEDOUT', connected: true });
    expect(await relay.answer(channelId, id, ANSWER)).toBe(false);
  });

  it('keeps no answer in Redis that was passed on or came late', async () => {
    const { channelId, relay, deliver, take, keys } = await listened();
    const answered = deliver('x');
    const { id } = await take();
    await relay.answer(channelId, id, ANSWER);
    await answered;
    const late = deliver('late', 3_000);
    const { id: lateId } = await take();
    await late;
    await relay.answer(channelId, lateId, ANSWER);
    expect((await keys()).filter((key) => !key.endsWith(':here'))).toEqual([]);
  });

  it('ends at once if nobody listens, if too much waits, and for a body that is too large', async () => {
    const { channelId, relay, deliver, keys } = await listened();
    const nobody = createListenerRelay(redis, `test-${randomUUID()}`);
    const request = { channelId, headers: {}, body: 'x', timeoutMs: 30_000 };
    const none = { error: NO_LISTENER, connected: false };
    expect(await nobody.deliver({ ...request, signal: new AbortController().signal })).toEqual(none);
    expect(await deliver('x'.repeat(512 * 1_024 + 1))).toEqual(none);
    const stop = new AbortController();
    const waiting = Array.from({ length: 16 }, () => relay.deliver({ ...request, signal: stop.signal }));
    const length = async () => redis.llen((await keys()).find((key) => key.endsWith(':waiting')) ?? '');
    await waitFor('16 waiting', async () => (await length()) === 16);
    expect(await deliver('one more')).toEqual(none);
    stop.abort();
    expect(await Promise.all(waiting)).toEqual(Array(16).fill(none));
    // Nothing stays for ever.
    for (const key of await keys()) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  it('leaves nothing for ever, even if its process is killed right after it has handed something over', async () => {
    const channelId = randomUUID();
    const prefix = `test-${randomUUID()}`;
    // Nothing after the first command that writes gets to Redis.
    const killed = Object.create(redis, {
      pexpire: { value: () => Promise.reject(new Error('killed')) },
      getdel: { value: () => Promise.reject(new Error('killed')) },
    }) as RedisClient;
    const relay = createListenerRelay(killed, prefix);
    await relay.take(channelId);
    const signal = new AbortController().signal;
    const request = { channelId, headers: {}, body: 'x', timeoutMs: 30_000, signal };
    expect(await relay.deliver(request)).toEqual({ error: 'ECONNRESET', connected: true });
    const keys = await findKeys(redis, `${prefix}:`);
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  it('passes on first what was put back', async () => {
    const { channelId, relay, deliver, take } = await listened();
    void deliver('first');
    const one = await take();
    void deliver('second');
    await relay.putBack(channelId, one);
    expect((await take()).body).toBe('first');
  });
});
