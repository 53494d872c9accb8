import { singleRedisServerUrl, testRedisUrl } from '@postrider/db/testing';
import type { ChannelKind } from '@postrider/domain';
import { QUEUE_NAMES, queuePrefix, type RedisClient } from '@postrider/queue';
import { startTcpProxy, type TcpProxy, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { Queue, Worker } from 'bullmq';
import { createConsumer } from '../src/consume.ts';
import { sweepDueRuns } from '../src/sweeps/due-runs.ts';
import {
  type ConsumerVerdict,
  createWatchdog,
  FIRST_WATCH,
  judgeConsumer,
  type Look,
} from '../src/watchdog.ts';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';
import { connectToRedis } from './support/redis.ts';

const BOUNDS = { deafAfterMs: 10_000, maxRecoveries: 2 };
const STARVING = { isWorkWaiting: true, hasRoom: true, handed: 0 };

/** What is decided at looks a second apart, each of them starving but for the changes at some second. */
function verdicts(seconds: number, changesAt: (second: number) => Partial<Look> = () => ({})): string[] {
  let watch = FIRST_WATCH;
  const decided: [number, ConsumerVerdict][] = [];
  for (let second = 0; second <= seconds; second += 1) {
    const look = { ...STARVING, atMs: second * 1_000, ...changesAt(second) };
    const judged = judgeConsumer(watch, look, BOUNDS);
    watch = judged.watch;
    if (judged.verdict !== 'well') decided.push([second, judged.verdict]);
  }
  return decided.map(([second, verdict]) => `${second} ${verdict}`);
}

describe('a consumer that gets no job although some wait', () => {
  it('is replaced after the bound, and given up when that has not helped so often', () => {
    expect(verdicts(29)).toEqual(['10 recover', '20 recover']);
    expect(verdicts(30)).toEqual(['10 recover', '20 recover', '30 give_up']);
  });

  it('is well again after a job, and has all its recoveries before it', () => {
    const jobAt15 = (second: number) => ({ handed: second >= 15 ? 1 : 0 });
    expect(verdicts(36, jobAt15)).toEqual(['10 recover', '26 recover', '36 recover']);
  });

  it.each<[string, (second: number) => Partial<Look>]>([
    ['has nothing to do', () => ({ isWorkWaiting: false })],
    ['sees the jobs taken by others now and then', (second) => ({ isWorkWaiting: second % 9 !== 0 })],
    ['has no room or is stopping', () => ({ hasRoom: false })],
    ['gets a job now and then', (second) => ({ handed: Math.floor(second / 9) })],
    ['was not looked at: the process was suspended', (second) => ({ atMs: second * 10_000 })],
  ])('is left alone when it %s', (_case, changes) => {
    expect(verdicts(60, changes)).toEqual([]);
  });
});

/** A consumer of webhook jobs by way of `redisUrl`, a sweep by that of the harness, on a clock of its own. */
async function setUp(harness: Harness, redisUrl: string) {
  const delivered: string[] = [];
  const consumer = createConsumer(
    'webhook',
    async (runId) => {
      delivered.push(runId);
      return { outcome: 'done' };
    },
    { redisUrl, prefix: harness.keyPrefix, concurrency: 10, onError: () => undefined },
  );
  const idle = { hasRoom: () => true, handed: () => 0, replace: () => undefined };
  const recovered: ChannelKind[] = [];
  const givenUp: ChannelKind[] = [];
  let now = 0;
  const watchQueue = createWatchdog({
    consumers: { email: idle, webhook: consumer },
    isPaused: harness.producer.paused,
    onRecover: (kind) => recovered.push(kind),
    onGiveUp: (kind) => givenUp.push(kind),
    monotonicMs: () => now,
    bounds: BOUNDS,
  });
  const deferredChannels = { defer: () => undefined, deferred: () => [] };
  const sweep = async () => {
    now += 1_000;
    await sweepDueRuns({ db: harness.db, producer: harness.producer, deferredChannels, watchQueue });
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

describe('the watchdog of a queue whose connections break', () => {
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

  it('gets the jobs of a consumer flowing again whose connections are stuck', async () => {
    const { consumer, delivered, recovered, givenUp, sweep, acceptOverdue } = await setUp(harness, proxy.url);
    proxy.silence();
    const runId = await acceptOverdue();
    for (let look = 0; look < 11; look += 1) await sweep();
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
    for (let look = 0; look <= 32; look += 1) await sweep();
    expect([recovered, givenUp]).toEqual([['webhook', 'webhook'], ['webhook']]);
    proxy.set(null);
    await consumer.close();
  });
});

describe('the watchdog on a real queue', () => {
  let harness: Harness;
  let redis: RedisClient;
  beforeEach(async () => {
    harness = await startHarness();
    redis = connectToRedis(testRedisUrl());
  });
  afterEach(async () => {
    await harness.close();
    redis.disconnect();
  });

  function openQueue() {
    const at = { connection: redis, prefix: queuePrefix(redis, harness.keyPrefix) };
    return { at, queue: new Queue(QUEUE_NAMES.webhook, at) };
  }

  it('leaves a queue alone that an operator has paused', async () => {
    const { consumer, recovered, givenUp, sweep, acceptOverdue } = await setUp(harness, testRedisUrl());
    const { queue } = openQueue();
    await queue.pause();
    await acceptOverdue();
    for (let look = 0; look <= 32; look += 1) await sweep();
    expect([recovered, givenUp]).toEqual([[], []]);
    await queue.close();
    await consumer.close();
  });

  it('has the process ended when replacing the consumer did not help', async () => {
    const { queue, at } = openQueue();
    // One job at a time, and that one is taken for good: no other worker gets any.
    await queue.setGlobalConcurrency(1);
    await queue.add('blocking', {});
    const blocker = new Worker(QUEUE_NAMES.webhook, null, { ...at, autorun: false, lockDuration: 600_000 });
    await blocker.getNextJob('blocker');
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    await harness.accept(fixture);

    const reasons: string[] = [];
    const worker = await harness.startWorker({
      watchdogBounds: { deafAfterMs: 500, maxRecoveries: 1 },
      onGiveUp: (reason) => reasons.push(reason),
    });

    await waitFor('the wish to end', () => reasons.length > 0);
    const metrics = await (await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`)).text();
    await Promise.all([blocker.close(true), queue.close()]);
    expect(reasons[0]).toBe('the consumer of webhook jobs gets none although runs are due');
    expect(metrics).toMatch(/^postrider_consumer_recoveries_total\{kind="webhook",.*\} 1$/m);
  });
});
