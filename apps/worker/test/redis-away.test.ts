import { singleRedisServerUrl } from '@postrider/db/testing';
import { queueName, queuePrefix, type RedisClient } from '@postrider/queue';
import { type Receiver, startReceiver, startTcpProxy, status, type TcpProxy, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { Queue } from 'bullmq';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';
import { connectToRedis } from './support/redis.ts';

const redisUrl = singleRedisServerUrl();
let harness: Harness;
let receiver: Receiver;
let proxy: TcpProxy;
let redis: RedisClient;
let queue: Queue;
beforeEach(async () => {
  [harness, receiver, proxy] = await Promise.all([
    startHarness({ redisUrl }),
    startReceiver(),
    startTcpProxy(redisUrl),
  ]);
  redis = connectToRedis(redisUrl);
  queue = new Queue(queueName('webhook'), {
    connection: redis,
    prefix: queuePrefix(redis, harness.keyPrefix),
  });
});
afterEach(async () => {
  await queue.close();
  redis.disconnect();
  await harness.close();
  await proxy.close();
  await receiver.close();
});

/** Whether consumers have taken all jobs. */
async function isQueueEmpty(): Promise<boolean> {
  const counts = await queue.getJobCounts('waiting', 'active');
  return counts.waiting === 0 && counts.active === 0;
}

const hook = (path: string) => webhookChannel(receiver.endpoint(path, status(200)));
const webhookIds = (path: string) => receiver.received(path).map(({ headers }) => headers['webhook-id']);

describe('a worker without Redis', () => {
  it('starts, and delivers although Redis stays away, each run once by two workers', async () => {
    proxy.set('reset');
    const fixture = await harness.fixture({ channels: [hook('/late-redis')] });
    await Promise.all([1, 2].map(() => harness.startWorker({ redisUrl: proxy.url })));
    for (let round = 1; round <= 3; round += 1) {
      await Promise.all(Array.from({ length: 8 }, () => harness.accept(fixture, { enqueue: false })));
      await harness.drained(fixture);
    }
    expect(new Set(webhookIds('/late-redis')).size).toBe(24);
    expect(webhookIds('/late-redis')).toHaveLength(24);
  });

  it('delivers during an outage, and takes jobs again afterwards', async () => {
    const fixture = await harness.fixture({ channels: [hook('/outage')] });
    await harness.startWorker({ redisUrl: proxy.url });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    proxy.set('reset');
    const outages = () => harness.log.filter((line) => line.level === 'error');
    await waitFor('the outage to be noticed', () => outages().length > 0);
    await Promise.all(Array.from({ length: 20 }, () => harness.accept(fixture, { enqueue: false })));
    await harness.drained(fixture);
    expect(webhookIds('/outage')).toHaveLength(21);
    expect(outages().length).toBeLessThan(50);
    expect(harness.log.filter(({ message }) => message === 'PostgreSQL cannot be used')).toEqual([]);
    proxy.set(null);
    await harness.accept(fixture);
    await waitFor('the job to be taken', isQueueEmpty);
    await harness.drained(fixture);
  });

  it('replaces connections that have gone silent', async () => {
    const fixture = await harness.fixture({ channels: [hook('/silent-redis')] });
    await harness.startWorker({ redisUrl: proxy.url });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    proxy.silence();
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    // A poll has found that run. Only a consumer with a new connection takes its job.
    await waitFor('the job to be taken', isQueueEmpty);
  });

  it('stops although Redis is down', async () => {
    const fixture = await harness.fixture({ channels: [hook('/away')] });
    const worker = await harness.startWorker({ redisUrl: proxy.url });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
    proxy.set('reset');
    await worker.stop(1_000);
  });
});
