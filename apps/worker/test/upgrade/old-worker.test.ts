import { testRedisUrl } from '@postrider/db/testing';
import { queueName, queuePrefix, type RedisClient } from '@postrider/queue';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { Queue, Worker } from 'bullmq';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { connectToRedis } from '../support/redis.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Parses a job as a worker of release 0.1.0 does: a copy of `parseJobData` at 040fe8e. */
function parseJobData(data: unknown): { readonly runId: string } | null {
  const runId = (data as { runId?: unknown } | null)?.runId;
  return typeof runId === 'string' && UUID.test(runId) ? { runId } : null;
}

let harness: Harness;
let receiver: Receiver;
let redis: RedisClient;
let queue: Queue;
let old: Worker;
let taken: string[];
let failures: unknown[];

beforeEach(async () => {
  [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
  redis = connectToRedis(testRedisUrl());
  [taken, failures] = [[], []];
  const connection = { connection: redis, prefix: queuePrefix(redis, harness.keyPrefix) };
  queue = new Queue(queueName('webhook'), connection);
  // The options of its consumer, which ignored a job that it could not read.
  old = new Worker(
    queueName('webhook'),
    async ({ data }) => {
      const job = parseJobData(data);
      if (job) taken.push(job.runId);
    },
    {
      ...{ ...connection, autorun: false, concurrency: 100, lockDuration: 10_000, stalledInterval: 5_000 },
      ...{ maxStalledCount: 1_000_000, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } },
    },
  );
  old.on('failed', (_job, error) => failures.push(error));
  old.on('error', (error) => failures.push(error));
});
afterEach(async () => {
  await Promise.all([old.close(), queue.close()]);
  await harness.close();
  redis.disconnect();
  await receiver.close();
});

const counts = () => queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
const EMPTY = { waiting: 0, active: 0, delayed: 0, failed: 0 };

describe('a worker of release 0.1.0 beside processes of this one', () => {
  it('drops jobs that name channels and continues, and this release delivers their runs once', async () => {
    const paths = Array.from({ length: 8 }, (_, index) => `/${index}`);
    const channels = paths.map((path) => webhookChannel(receiver.endpoint(path, status(200))));
    const fixture = await harness.fixture({ channels });
    await harness.accept(fixture, { channels: [0] });
    await harness.accept(fixture, { channels: [1, 2, 3, 4, 5, 6, 7] });
    expect(await queue.getWaitingCount()).toBe(2);
    const own = await harness.accept(fixture, { channels: [0], enqueue: false });
    const [runId = ''] = own.runIds;
    await queue.add('deliver', { runId }, { jobId: `run-${runId}-1-0` });
    void old.run();
    await waitFor('its own job', () => taken.length === 1);
    await waitFor(
      'the jobs to be gone',
      async () => (await queue.count()) === 0 && (await counts()).active === 0,
    );
    expect([taken, failures, await counts()]).toEqual([[runId], [], EMPTY]);
    await old.close();

    // The poll of this release finds the dropped runs, and also the one that the old worker took, which was never claimed.
    await harness.startWorker();
    expect(new Set((await harness.drained(fixture)).values())).toEqual(new Set(['succeeded']));
    expect(paths.map((path) => receiver.received(path).length)).toEqual([2, 1, 1, 1, 1, 1, 1, 1]);
  });
});

describe('jobs of release 0.1.0', () => {
  it('are removed, and the poll finds their runs, due and delayed', async () => {
    const fixture = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/old', status(200)))],
    });
    const {
      runIds: [one = ''],
    } = await harness.accept(fixture, { enqueue: false });
    const {
      runIds: [delayed = ''],
    } = await harness.accept(fixture, { enqueue: false });
    await queue.add('deliver', { runId: one }, { jobId: `run-${one}-1-0` });
    await queue.add('deliver', { runId: delayed }, { jobId: `run-${delayed}-1-0`, delay: 200 });
    await harness.startWorker();
    await harness.drained(fixture);
    expect(receiver.received('/old')).toHaveLength(2);
    await waitFor('the jobs to be gone', async () => (await queue.count()) === 0);
  });
});
