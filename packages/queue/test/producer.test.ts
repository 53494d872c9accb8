import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { singleRedisServerUrl, testRedisUrl } from '@postrider/db/testing';
import type { ChannelKind } from '@postrider/domain';
import { startRedis } from '@postrider/local-stack';
import { startTcpProxy } from '@postrider/rig';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { Queue } from 'bullmq';
import {
  createProducer,
  openRedis,
  type Producer,
  type ProducerOptions,
  parseJobData,
  queueName,
  queuePrefix,
  RUNS_PER_JOB,
  type RunToEnqueue,
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

const run = (changes: Partial<RunToEnqueue> = {}): RunToEnqueue => ({
  runId: randomUUID(),
  channelKind: 'webhook',
  attempt: 1,
  delayMs: 0,
  ...changes,
});

/** The waiting and delayed jobs of a queue, in the order in which they are taken. */
async function storedJobs(prefix: string, kind: ChannelKind) {
  const redis = openRedis(testRedisUrl(), { offline: 'queue', silenceLimitMs: 5_000 });
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
  it('adds each run to the queue of its kind, with its id and nothing else', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const [webhook, email] = [run(), run({ channelKind: 'email' })];
    expect(await producer.enqueue([webhook, email])).toEqual({ enqueued: 2, failed: 0 });
    expect([await producer.waiting('webhook'), await producer.waiting('email')]).toEqual([[1], [1]]);
    expect(await storedJobs(prefix, 'webhook')).toEqual([
      { id: `run-${webhook.runId}-1-0`, data: { runId: webhook.runId }, delay: 0 },
    ]);
  });

  it('adds a run once however often it is called, and again for another attempt or generation', async () => {
    const { producer } = setUp();
    await ready(producer);
    const first = run();
    const once = { enqueued: 1, failed: 0 };
    const inOneTurn = [producer.enqueue([first, first]), producer.enqueue([first])];
    expect(await Promise.all(inOneTurn)).toEqual([{ enqueued: 2, failed: 0 }, once]);
    expect(await producer.enqueue([first])).toEqual(once);
    expect(await producer.waiting('webhook')).toEqual([1]);
    await producer.enqueue([{ ...first, attempt: 2 }]);
    await producer.enqueue([{ ...first, generation: 1 }]);
    expect(await producer.waiting('webhook')).toEqual([3]);
  });

  it('gives a run that is rescheduled repeatedly one job, for the newest time', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const [first, other] = [run({ delayMs: 1_000_000 }), run({ delayMs: 1_000_000 })];
    await producer.enqueue([first, other]);
    for (const delayMs of [2_000_000, 500_000, 3_000_000]) {
      await producer.enqueue([first, other].map((each) => ({ ...each, delayMs, isMoved: true })));
    }
    const jobs = await storedJobs(prefix, 'webhook');
    const moved = jobs.filter(({ delay }) => delay === 3_000_000);
    expect(jobs).toHaveLength(3);
    expect(moved.map(({ data }) => data)).toEqual(
      expect.arrayContaining([{ runId: first.runId }, { runId: other.runId }]),
    );
  });

  it('adds the runs of one turn together, in order, in jobs of bounded size', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const runs = Array.from({ length: 2 * RUNS_PER_JOB + 1 }, () => run());
    const results = await Promise.all(runs.map((one) => producer.enqueue([one])));
    expect(results).toEqual(runs.map(() => ({ enqueued: 1, failed: 0 })));
    const jobs = await storedJobs(prefix, 'webhook');
    expect(jobs.flatMap(({ data }) => parseJobData(data))).toEqual(runs.map(({ runId }) => ({ runId })));
    expect(jobs.map(({ data }) => parseJobData(data)?.length)).toEqual([RUNS_PER_JOB, RUNS_PER_JOB, 1]);
    expect(await producer.waiting('webhook')).toEqual([runs.length]);
    await producer.enqueue(runs);
    expect(await producer.waiting('webhook')).toEqual([runs.length]);
  });

  it('puts runs for the front of the queue into separate jobs', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const [atEnd, atFront] = [run(), run({ atFront: true })];
    await producer.enqueue([atEnd, atFront]);
    const jobs = await storedJobs(prefix, 'webhook');
    expect(jobs.map(({ data }) => data)).toEqual([{ runId: atFront.runId }, { runId: atEnd.runId }]);
  });

  it('gives runs that are due within 5 ms one job with the longest delay, and other runs their own', async () => {
    const { producer, prefix } = setUp();
    await ready(producer);
    const runs = [9_000, 0, 9_005.1, -3, 9_005, 9_011, 3].map((delayMs) => run({ delayMs }));
    await producer.enqueue(runs);
    const delayOf = new Map(
      (await storedJobs(prefix, 'webhook')).flatMap(({ data, delay }) =>
        (parseJobData(data) ?? []).map(({ runId }) => [runId, delay] as const),
      ),
    );
    expect(runs.map(({ runId }) => delayOf.get(runId))).toEqual([9_005, 0, 9_011, 0, 9_005, 9_011, 3]);
    expect(await producer.waiting('webhook')).toEqual([2]);
  });

  it('estimates the number of waiting runs when there are many jobs', async () => {
    const { producer } = setUp();
    await ready(producer);
    for (let jobs = 0; jobs < 250; jobs += 1) await producer.enqueue([run(), run(), run()]);
    expect(await producer.waiting('webhook')).toEqual([750]);
  });

  it('leaves runs beyond the near horizon to the sweeper', async () => {
    const { producer } = setUp({ nearHorizonMs: 1_000 });
    await ready(producer);
    const result = await producer.enqueue([run({ delayMs: 1_001 }), run({ delayMs: 1_000 })]);
    expect(result).toEqual({ enqueued: 1, failed: 0 });
  });

  it('adds thousands of runs at once', async () => {
    const { producer } = setUp();
    await ready(producer);
    const runs = Array.from({ length: 2_000 }, () => run());
    expect(await producer.enqueue(runs)).toEqual({ enqueued: 2_000, failed: 0 });
    expect(await producer.waiting('webhook')).toEqual([2_000]);
  });

  it('neither throws nor waits while Redis refuses connections, and reports that once', async () => {
    const { producer, errors } = setUp({ redisUrl: 'redis://127.0.0.1:1' });
    for (let call = 0; call < 20; call += 1) {
      expect(await producer.enqueue([run()])).toEqual({ enqueued: 0, failed: 1 });
      await sleep(20);
    }
    expect(await producer.waiting('email')).toEqual([null]);
    expect(producer.ready()).toBe(false);
    expect(errors).toHaveLength(1);
  });

  it('gives up at its deadline when Redis accepts connections but does not respond', async () => {
    const silent = await startTcpProxy(singleRedisServerUrl(), { fault: 'swallow' });
    const { producer } = setUp({ redisUrl: silent.url, deadlineMs: 50 });
    expect(await producer.enqueue([run()])).toEqual({ enqueued: 0, failed: 1 });
    await producer.close();
    await silent.close();
  });

  it('replaces a connection that has gone silent', async () => {
    const proxy = await startTcpProxy(singleRedisServerUrl());
    const { producer } = setUp({ redisUrl: proxy.url, silenceLimitMs: 2_000 });
    await ready(producer);
    proxy.silence();
    const giveUpAt = performance.now() + 30_000;
    let enqueued = await producer.enqueue([run()]);
    expect(enqueued).toEqual({ enqueued: 0, failed: 1 });
    while (enqueued.failed > 0 && performance.now() < giveUpAt) {
      await sleep(10);
      enqueued = await producer.enqueue([run()]);
    }
    await producer.close();
    await proxy.close();
    expect(enqueued).toEqual({ enqueued: 1, failed: 0 });
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
    await Promise.all([producer.waiting('email'), other.producer.waiting('email')]);
    await producer.close();
    await evicting.stop();
    expect(policies).toEqual(['allkeys-lru']);
  });
});
