import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { singleRedisServerUrl, testRedisUrl } from '@postrider/db/testing';
import type { ChannelKind, WakeUp } from '@postrider/domain';
import { startRedis } from '@postrider/local-stack';
import { startTcpProxy, waitFor } from '@postrider/rig';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { Queue } from 'bullmq';
import {
  createProducer,
  openRedis,
  type Producer,
  type ProducerOptions,
  queueName,
  queuePrefix,
} from '../src/index.ts';

const producers: Producer[] = [];
afterEach(async () => {
  await Promise.all(producers.splice(0).map((producer) => producer.close()));
});

/** Long enough for a busy machine, because the deadline includes creating the queue. */
const PATIENT_MS = 10_000;

function setUp(options: Partial<ProducerOptions> = {}) {
  const errors: unknown[] = [];
  const prefix = `test-${randomUUID()}`;
  const producer = createProducer({
    redisUrl: testRedisUrl(),
    prefix,
    deadlineMs: PATIENT_MS,
    onError: (error) => errors.push(error),
    ...options,
  });
  producers.push(producer);
  return { producer, prefix, errors };
}

async function ready(producer: Producer): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  while (!producer.ready() && performance.now() < giveUpAt) await sleep(10);
}

const wakeUp = (changes: Partial<WakeUp> = {}): WakeUp => ({
  channelId: randomUUID(),
  channelKind: 'webhook',
  delayMs: 0,
  ...changes,
});

/** The waiting and delayed jobs of a queue, in the order in which they are taken. */
async function storedJobs(prefix: string, kind: ChannelKind, redisUrl = testRedisUrl()) {
  const redis = openRedis(redisUrl, { offline: 'queue', silenceLimitMs: 5_000 });
  const queue = new Queue(queueName(kind), { connection: redis, prefix: queuePrefix(redis, prefix) });
  try {
    const jobs = [...(await queue.getJobs(['waiting'], 0, -1, true)), ...(await queue.getJobs(['delayed']))];
    return jobs.map(({ id, data, opts }) => ({ id, data, delay: opts.delay }));
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

describe('the producer', () => {
  it('adds a job with the channel, and nothing else, to the queue of its kind', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const [webhook, email] = [wakeUp(), wakeUp({ channelKind: 'email', dueMs: 7 })];
    await producer.enqueue([webhook, email]);
    expect([await storedJobs(prefix, 'webhook'), await storedJobs(prefix, 'email')]).toEqual([
      [{ id: `wake-${webhook.channelId}`, data: { channel: webhook.channelId }, delay: 0 }],
      [{ id: `wake-${email.channelId}`, data: { channel: email.channelId, due: 7 }, delay: 0 }],
    ]);
  });

  it('adds one job for a channel with work, however many wake-ups there are', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const first = wakeUp({ dueMs: 20 });
    await Promise.all([
      producer.enqueue([first, { ...first, dueMs: 10 }]),
      producer.enqueue([{ ...first, dueMs: 30 }]),
    ]);
    await producer.enqueue([first]);
    expect(await storedJobs(prefix, 'webhook')).toMatchObject([
      { data: { channel: first.channelId, due: 10 } },
    ]);
  });

  it('adds the wake-ups of a pause together, and the first after it at once', async () => {
    const ends: (() => void)[] = [];
    const { producer, prefix } = setUp({ pause: (end) => ends.push(end) });
    await ready(producer);
    const idsOf = async () => (await storedJobs(prefix, 'webhook')).map(({ id }) => id);
    const [first, second, third, fourth] = [wakeUp(), wakeUp(), wakeUp(), wakeUp()];
    const namesOf = (...wakeUps: WakeUp[]) => wakeUps.map(({ channelId }) => `wake-${channelId}`);
    await producer.enqueue([first]);
    const secondAdded = producer.enqueue([second]);
    await sleep(0);
    const thirdAdded = producer.enqueue([third]);
    expect(await idsOf()).toEqual(namesOf(first));
    ends[0]?.();
    await Promise.all([secondAdded, thirdAdded]);
    expect(await idsOf()).toEqual(namesOf(first, second, third));
    ends[1]?.();
    await sleep(0);
    await producer.enqueue([fourth]);
    expect([await idsOf(), ends.length]).toEqual([namesOf(first, second, third, fourth), 3]);
  });

  it('adds the wake-ups of a pause when it is closed', async () => {
    const ends: (() => void)[] = [];
    const { producer, prefix } = setUp({ pause: (end) => ends.push(end) });
    await ready(producer);
    const [first, second] = [wakeUp(), wakeUp()];
    await producer.enqueue([first]);
    void producer.enqueue([second]);
    const closed = producer.close();
    ends[0]?.();
    await closed;
    expect(await storedJobs(prefix, 'webhook')).toMatchObject([
      { data: { channel: first.channelId } },
      { data: { channel: second.channelId } },
    ]);
  });

  it('says no due time if one of the wake-ups of a job has none', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const first = wakeUp();
    await producer.enqueue([{ ...first, dueMs: 10 }, first, { ...first, dueMs: 30 }]);
    expect(await storedJobs(prefix, 'webhook')).toMatchObject([{ data: { channel: first.channelId } }]);
    expect((await storedJobs(prefix, 'webhook'))[0]?.data).not.toHaveProperty('due');
  });

  it('adds one delayed job for each moment at which runs of a channel are due', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const { channelId } = wakeUp();
    const delays = [60_000, 60_000, 120_000, 0, 120_000];
    await producer.enqueue(delays.map((delayMs) => wakeUp({ channelId, delayMs })));
    const stored = await storedJobs(prefix, 'webhook');
    expect(stored.map(({ delay }) => Math.floor((delay ?? 0) / 60_000)).sort()).toEqual([0, 1, 2]);
  });

  it('leaves runs beyond the near horizon to polls', async () => {
    const { producer, prefix } = setUp({ nearHorizonMs: 1_000 });
    await ready(producer);
    await producer.enqueue([wakeUp({ delayMs: 1_001 }), wakeUp({ delayMs: 1_000 })]);
    expect(await storedJobs(prefix, 'webhook')).toHaveLength(1);
  });

  it('adds thousands of jobs at once', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const wakeUps = Array.from({ length: 2_000 }, () => wakeUp({ delayMs: 60_000 }));
    await producer.enqueue(wakeUps);
    expect(await storedJobs(prefix, 'webhook')).toHaveLength(2_000);
  });

  it('names each of thousands of channels in one of few jobs', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const wakeUps = Array.from({ length: 2_000 }, () => wakeUp());
    await producer.enqueue(wakeUps);
    const jobs = await storedJobs(prefix, 'webhook');
    expect(jobs).toHaveLength(Math.ceil(2_000 / 32));
    const named = jobs.flatMap(({ data }) => data.channels as readonly string[]);
    expect(new Set(named)).toEqual(new Set(wakeUps.map(({ channelId }) => channelId)));
  });

  it('adds one job for the same many channels, however often they get work while no worker takes it', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const channels = Array.from({ length: 5 }, () => wakeUp());
    for (let turn = 0; turn < 300; turn += 1) await producer.enqueue(channels);
    const neighbour = Array.from({ length: 5 }, () => wakeUp());
    await producer.enqueue(neighbour);
    const named = (await storedJobs(prefix, 'webhook')).map(({ data }) => data.channels);
    expect(named).toEqual([channels, neighbour].map((some) => some.map(({ channelId }) => channelId)));
  });

  it('adds a bounded number of jobs of many channels while no worker takes them, then one of each channel', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const several = () => Array.from({ length: 5 }, () => wakeUp());
    for (let turn = 0; turn < 1_010; turn += 1) await producer.enqueue(several());
    const late = several();
    for (const some of [late, [...late].reverse(), [...late, ...late], late]) await producer.enqueue(some);
    const jobs = await storedJobs(prefix, 'webhook');
    expect(jobs.filter(({ data }) => data.channels).length).toBeLessThan(1_005);
    const own = jobs.flatMap(({ data }) => data.channel ?? []);
    expect(own.slice(-5)).toEqual(late.map(({ channelId }) => channelId));
  });

  it('neither throws nor waits while Redis refuses connections, and reports that once', async () => {
    const { producer, errors } = setUp({ redisUrl: 'redis://127.0.0.1:1' });
    for (let call = 0; call < 20; call += 1) {
      await producer.enqueue([wakeUp()]);
      await sleep(20);
    }
    expect(producer.ready()).toBe(false);
    expect(errors).toHaveLength(1);
  });

  it('gives up at its deadline when Redis accepts connections but does not respond', async () => {
    const silent = await startTcpProxy(singleRedisServerUrl(), { fault: 'swallow' });
    const { producer } = setUp({ redisUrl: silent.url, deadlineMs: 50 });
    await producer.enqueue([wakeUp()]);
    expect(producer.ready()).toBe(false);
    await producer.close();
    await silent.close();
  });

  it('replaces a connection that has gone silent', async () => {
    const redisUrl = singleRedisServerUrl();
    const proxy = await startTcpProxy(redisUrl);
    const { producer, prefix } = setUp({ redisUrl: proxy.url, silenceLimitMs: 2_000 });
    await ready(producer);
    proxy.silence();
    await producer.enqueue([wakeUp()]);
    expect(await storedJobs(prefix, 'webhook', redisUrl)).toEqual([]);
    expect(producer.ready()).toBe(false);
    await waitFor('the new connection', async () => {
      await producer.enqueue([wakeUp()]);
      return producer.ready();
    });
    await producer.close();
    await proxy.close();
    expect(await storedJobs(prefix, 'webhook', redisUrl)).not.toEqual([]);
  });

  it('warns once of a policy that lets Redis evict jobs, and of no other', async () => {
    const policies: string[] = [];
    const evicting = await startRedis({ settings: ['maxmemory-policy allkeys-lru'] });
    const { producer } = setUp({
      redisUrl: evicting.url,
      onUnsafeEviction: (policy) => policies.push(policy),
    });
    const other = setUp({ onUnsafeEviction: (policy) => policies.push(policy) });
    await Promise.all([ready(producer), ready(other.producer)]);
    await Promise.all([producer.enqueue([wakeUp()]), other.producer.enqueue([wakeUp()])]);
    await producer.close();
    await evicting.stop();
    expect(policies).toEqual(['allkeys-lru']);
  });
});
