import { channelKinds } from '@postrider/channels';
import { singleRedisServerUrl, testRedisUrl } from '@postrider/db/testing';
import type { ChannelKind } from '@postrider/domain';
import { queueName, queuePrefix, type RedisClient } from '@postrider/queue';
import { startTcpProxy, type TcpProxy, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { Queue, Worker } from 'bullmq';
import { createConsumer, createPlaces } from '../src/consumer.ts';
import {
  addSample,
  createStallDetector,
  INITIAL_STATE,
  type MonitoredConsumer,
  type Sample,
  type StallAction,
} from '../src/stall-detector.ts';
import { sweepDueRuns } from '../src/sweeps/due-runs.ts';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';
import { connectToRedis } from './support/redis.ts';

const BOUNDS = { stalledAfterMs: 10_000, maxRecoveries: 2 };
const STARVING = { isWorkWaiting: true, hasRoom: true, received: 0 };

/** The actions after samples a second apart, each of a starving consumer except for the changes at some second. */
function actions(seconds: number, changesAt: (second: number) => Partial<Sample> = () => ({})): string[] {
  let state = INITIAL_STATE;
  const decided: [number, StallAction][] = [];
  for (let second = 0; second <= seconds; second += 1) {
    const sample = { ...STARVING, atMs: second * 1_000, ...changesAt(second) };
    const next = addSample(state, sample, BOUNDS);
    state = next.state;
    if (next.action !== 'none') decided.push([second, next.action]);
  }
  return decided.map(([second, action]) => `${second} ${action}`);
}

describe('a consumer that gets no jobs although jobs wait', () => {
  it('is replaced after the limit, and given up after several replacements without effect', () => {
    expect(actions(29)).toEqual(['10 recover', '20 recover']);
    expect(actions(30)).toEqual(['10 recover', '20 recover', '30 give_up']);
  });

  it('counts as healthy after a job, and gets all its recoveries again', () => {
    const jobAt15 = (second: number) => ({ received: second >= 15 ? 1 : 0 });
    expect(actions(36, jobAt15)).toEqual(['10 recover', '26 recover', '36 recover']);
  });

  it.each<[string, (second: number) => Partial<Sample>]>([
    ['has nothing to do', () => ({ isWorkWaiting: false })],
    ['sees the jobs taken by others now and then', (second) => ({ isWorkWaiting: second % 9 !== 0 })],
    ['has no room or is stopping', () => ({ hasRoom: false })],
    ['gets a job now and then', (second) => ({ received: Math.floor(second / 9) })],
    ['was not sampled: the process was suspended', (second) => ({ atMs: second * 10_000 })],
  ])('is left alone when it %s', (_case, changes) => {
    expect(actions(60, changes)).toEqual([]);
  });
});

describe('the stall detector of several shards', () => {
  it('ignores a consumer whose shard accepts no writes, and replaces the stalled one', async () => {
    const replaced: number[] = [];
    let now = 0;
    const sampleQueue = createStallDetector({
      consumers: new Map<ChannelKind, readonly MonitoredConsumer[]>([
        [
          'webhook',
          [0, 1, 2].map((shard) => ({
            hasRoom: () => true,
            received: () => 0,
            replace: () => replaced.push(shard),
          })),
        ],
      ]),
      isPaused: async () => [false, false, null],
      acceptsWrites: async () => [false, true, true],
      onRecover: () => undefined,
      onGiveUp: () => undefined,
      monotonicMs: () => now,
      bounds: BOUNDS,
    });
    for (; now <= 10_000; now += 1_000) await sampleQueue('webhook', [true, true, true]);
    expect(replaced).toEqual([1]);
  });
});

/** A consumer of webhook jobs through `redisUrl`, a sweep through the Redis of the harness, on their own clock. */
async function setUp(harness: Harness, redisUrl: string) {
  const delivered: string[] = [];
  const consumer = createConsumer(
    'webhook',
    async (runId) => {
      delivered.push(runId);
      return { outcome: 'done' };
    },
    { redisUrl, prefix: harness.keyPrefix, places: createPlaces(10), onError: () => undefined },
  );
  const idle = { hasRoom: () => true, received: () => 0, replace: () => undefined };
  const recovered: ChannelKind[] = [];
  const givenUp: ChannelKind[] = [];
  let now = 0;
  const sampleQueue = createStallDetector({
    consumers: new Map<ChannelKind, readonly MonitoredConsumer[]>([
      ['email', [idle]],
      ['webhook', [consumer]],
    ]),
    isPaused: harness.producer.paused,
    acceptsWrites: harness.producer.acceptsWrites,
    onRecover: (kind) => recovered.push(kind),
    onGiveUp: (kind) => givenUp.push(kind),
    monotonicMs: () => now,
    bounds: BOUNDS,
  });
  const deferredChannels = { defer: () => undefined, deferred: () => [] };
  const sweep = async () => {
    now += 1_000;
    await sweepDueRuns({
      db: harness.db,
      kinds: channelKinds,
      producer: harness.producer,
      deferredChannels,
      sampleQueue,
    });
  };
  const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
  const first = await harness.accept(fixture);
  await waitFor('the first job', () => delivered.includes(first.runIds[0] ?? ''));
  await harness.db.deliveryRun.deleteMany();
  /** Accepts an event whose run is overdue from the start. */
  const acceptOverdue = async () => {
    const { runIds } = await harness.accept(fixture);
    await harness.db.$executeRaw`UPDATE delivery_runs SET due_at = due_at - interval '10 seconds'`;
    return runIds[0] ?? '';
  };
  return { consumer, delivered, recovered, givenUp, sweep, acceptOverdue };
}

describe('the stall detector with broken connections', () => {
  const redisUrl = singleRedisServerUrl();
  let harness: Harness;
  let proxy: TcpProxy;
  beforeEach(async () => {
    harness = await startHarness({ redisUrl });
    proxy = await startTcpProxy(redisUrl);
  });
  afterEach(async () => {
    await harness.close();
    await proxy.close();
  });

  it('restores a consumer whose connections hang', async () => {
    const { consumer, delivered, recovered, givenUp, sweep, acceptOverdue } = await setUp(harness, proxy.url);
    proxy.silence();
    const runId = await acceptOverdue();
    for (let sample = 0; sample < 11; sample += 1) await sweep();
    expect(delivered).not.toContain(runId);
    await sweep();
    expect(recovered).toEqual(['webhook']);
    await waitFor('the job', () => delivered.includes(runId));
    expect(givenUp).toEqual([]);
    await consumer.close();
  });

  it('gives up when new connections do not help either', async () => {
    const { consumer, recovered, givenUp, sweep, acceptOverdue } = await setUp(harness, proxy.url);
    proxy.set('reset');
    await acceptOverdue();
    for (let sample = 0; sample <= 32; sample += 1) await sweep();
    expect([recovered, givenUp]).toEqual([['webhook', 'webhook'], ['webhook']]);
    proxy.set(null);
    await consumer.close();
  });
});

describe('the stall detector on a real queue', () => {
  let harness: Harness;
  let redis: RedisClient;
  beforeEach(async () => {
    // The detector must see several samples of due runs within its bound.
    harness = await startHarness({ fastSweeps: ['dueRuns'] });
    redis = connectToRedis(testRedisUrl());
  });
  afterEach(async () => {
    await harness.close();
    redis.disconnect();
  });

  function openQueue() {
    const at = { connection: redis, prefix: queuePrefix(redis, harness.keyPrefix) };
    return { at, queue: new Queue(queueName('webhook'), at) };
  }

  it('ignores a queue that an operator has paused', async () => {
    const { consumer, recovered, givenUp, sweep, acceptOverdue } = await setUp(harness, testRedisUrl());
    const { queue } = openQueue();
    await queue.pause();
    await acceptOverdue();
    for (let sample = 0; sample <= 32; sample += 1) await sweep();
    expect([recovered, givenUp]).toEqual([[], []]);
    await queue.close();
    await consumer.close();
  });

  it('ends the process if replacing the consumer does not help', async () => {
    const { queue, at } = openQueue();
    // One job at a time, which never ends: no other worker gets any.
    await queue.setGlobalConcurrency(1);
    await queue.add('blocking', {});
    const blocker = new Worker(queueName('webhook'), null, { ...at, autorun: false, lockDuration: 600_000 });
    await blocker.getNextJob('blocker');
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    await harness.accept(fixture);

    const reasons: string[] = [];
    const worker = await harness.startWorker({
      stallBounds: { stalledAfterMs: 500, maxRecoveries: 1 },
      onGiveUp: (reason) => reasons.push(reason),
    });

    await waitFor('the wish to end', () => reasons.length > 0);
    const metrics = await (await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`)).text();
    await Promise.all([blocker.close(true), queue.close()]);
    expect(reasons[0]).toBe('the consumer of webhook jobs gets none although runs are due');
    expect(metrics).toMatch(/^postrider_consumer_recoveries_total\{kind="webhook",.*\} 1$/m);
  });
});
