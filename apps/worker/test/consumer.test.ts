import { randomUUID } from 'node:crypto';
import { testRedisUrl } from '@postrider/db/testing';
import {
  createProducer,
  type Producer,
  parseJobData,
  queueName,
  queuePrefix,
  type RedisClient,
  RUNS_PER_JOB,
} from '@postrider/queue';
import { waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { Queue } from 'bullmq';
import { type Consumer, createConsumer, createPlaces } from '../src/consumer.ts';
import type { DeliverRun, StartOutcome } from '../src/deliver/deliver.ts';
import { connectToRedis, flushPrefix } from './support/redis.ts';

const DONE: StartOutcome = { outcome: 'done' };
const idsOf = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

let keyPrefix: string;
let redis: RedisClient;
let queue: Queue;
let producer: Producer;
let errors: unknown[];
const consumers: Consumer[] = [];

beforeEach(async () => {
  errors = [];
  keyPrefix = `test-${randomUUID()}`;
  redis = connectToRedis(testRedisUrl());
  queue = new Queue(queueName('webhook'), { connection: redis, prefix: queuePrefix(redis, keyPrefix) });
  const redisUrl = testRedisUrl();
  producer = createProducer({ redisUrl, prefix: keyPrefix, deadlineMs: 10_000, onError: () => undefined });
  await waitFor('Redis', () => producer.ready());
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
  await Promise.all([producer.close(), queue.close()]);
  redis.disconnect();
  await flushPrefix(testRedisUrl(), keyPrefix);
});

function consume(deliver: DeliverRun, concurrency = 100): Consumer {
  const onError = (error: unknown) => errors.push(error);
  const places = createPlaces(concurrency);
  const options = { redisUrl: testRedisUrl(), prefix: keyPrefix, places, onError };
  const consumer = createConsumer('webhook', deliver, options);
  consumers.push(consumer);
  return consumer;
}

const enqueue = (runIds: readonly string[]) =>
  producer.enqueue(
    runIds.map((runId) => ({ runId, channelKind: 'webhook' as const, attempt: 1, delayMs: 0 })),
  );

const counts = () => queue.getJobCounts('waiting', 'active', 'delayed');
const isIdle = async () => Object.values(await counts()).every((count) => count === 0);

describe('a job with many runs', () => {
  it('is done when its runs are claimed, while their deliveries are open', async () => {
    const taken: string[] = [];
    consume(async (runId) => {
      taken.push(runId);
      return { outcome: 'done', ended: new Promise(() => undefined) };
    });
    const runIds = idsOf(RUNS_PER_JOB);
    await enqueue(runIds);
    await waitFor('the job to be gone', async () => taken.length > 0 && (await isIdle()));
    expect(taken).toEqual(runIds);
  });

  it('waits while there are no free places, and starts its runs as places become free', async () => {
    const open = new Set<() => void>();
    let most = 0;
    const taken: string[] = [];
    const consumer = consume(async (runId) => {
      taken.push(runId);
      const ended = new Promise<void>((resolve) => {
        const end = () => {
          open.delete(end);
          resolve();
        };
        open.add(end);
      });
      most = Math.max(most, open.size);
      return { outcome: 'done', ended };
    }, 10);
    const runIds = idsOf(3 * RUNS_PER_JOB);
    await enqueue(runIds);
    await waitFor('all places to be taken', () => taken.length === 10);
    expect(await counts()).toEqual({ waiting: 2, active: 1, delayed: 0 });
    expect([consumer.received(), consumer.hasRoom()]).toEqual([1, false]);
    await waitFor('all runs', () => {
      for (const end of [...open]) end();
      return taken.length === runIds.length;
    });
    await waitFor('the jobs to be gone', isIdle);
    expect([most, new Set(taken)]).toEqual([10, new Set(runIds)]);
    for (const end of [...open]) end();
    await waitFor('room', () => consumer.hasRoom());
  });

  it('puts back only the runs that are not due yet, with their delay', async () => {
    const [early, late, ...others] = idsOf(6);
    const taken: string[] = [];
    const notDue = new Map<string | undefined, number>([
      [early, 60_000],
      [late, 90_000],
    ]);
    consume(async (runId) => {
      taken.push(runId);
      const delayMs = notDue.get(runId);
      return delayMs === undefined ? DONE : { outcome: 'later', delayMs };
    });
    await enqueue([early ?? '', ...others, late ?? '']);
    await waitFor('the job', async () => (await counts()).delayed === 1);
    const [job] = await queue.getDelayed();
    expect(parseJobData(job?.data)).toEqual([{ runId: early }, { runId: late }]);
    expect(job?.delay).toBeGreaterThan(55_000);
    expect(job?.delay).toBeLessThanOrEqual(60_000);

    notDue.clear();
    await job?.promote();
    await waitFor('the job to be gone', isIdle);
    expect(taken.slice(6)).toEqual([early, late]);
    expect(errors).toEqual([]);
  });

  it('says where its runs go, also when it is put back', async () => {
    const route = { environmentId: randomUUID(), channelId: randomUUID(), renderedFor: null };
    const runs = idsOf(3).map((runId) => ({ runId, route }));
    const said: unknown[] = [];
    consume(async (runId, run) => {
      said.push(run);
      return runId === runs[1]?.runId ? { outcome: 'later', delayMs: 60_000 } : DONE;
    });
    await producer.enqueue(
      runs.map((run) => ({ ...run, channelKind: 'webhook' as const, attempt: 1, delayMs: 0 })),
    );
    await waitFor('the job', async () => (await counts()).delayed === 1);
    expect(said).toEqual(runs.map(({ runId }) => ({ runId, kind: 'webhook', ...route })));
    const [job] = await queue.getDelayed();
    expect(parseJobData(job?.data)).toEqual([runs[1]]);
  });

  it('continues if some runs cannot be started, reports them and leaves them to the sweep', async () => {
    const runIds = idsOf(4);
    const taken: string[] = [];
    consume(async (runId) => {
      if (runId === runIds[1]) throw new Error('Postgres is away');
      taken.push(runId);
      return DONE;
    });
    await enqueue(runIds);
    await waitFor('the job to be gone', async () => errors.length > 0 && (await isIdle()));
    expect(taken).toEqual(runIds.filter((_runId, index) => index !== 1));
    expect(errors).toEqual([new Error('Postgres is away')]);
  });

  it('is put back with its waiting runs when the consumer stops', async () => {
    const taken: string[] = [];
    const consumer = consume(async (runId) => {
      taken.push(runId);
      return { outcome: 'done', ended: new Promise(() => undefined) };
    }, 10);
    const runIds = idsOf(RUNS_PER_JOB);
    await enqueue(runIds);
    await waitFor('all places to be taken', () => taken.length === 10);
    await consumer.pause();
    await consumer.settled();
    expect(await counts()).toEqual({ waiting: 0, active: 0, delayed: 1 });
    const [job] = await queue.getDelayed();
    expect(parseJobData(job?.data)).toEqual(runIds.slice(10).map((runId) => ({ runId })));
    expect(errors).toEqual([]);
  });
});

describe('a job of another release', () => {
  it('is processed in the format of 0.1.0, with one run', async () => {
    const taken: string[] = [];
    consume(async (runId) => {
      taken.push(runId);
      return DONE;
    });
    const [due = '', delayed = ''] = idsOf(2);
    await queue.add('deliver', { runId: due }, { jobId: `run-${due}-1-0` });
    await queue.add('deliver', { runId: delayed }, { jobId: `run-${delayed}-1-0`, delay: 100 });
    await waitFor('both', () => taken.length === 2);
    expect(taken).toEqual([due, delayed]);
  });

  it('is removed if it cannot be read, and the next one is processed', async () => {
    const taken: string[] = [];
    consume(async (runId) => {
      taken.push(runId);
      return DONE;
    });
    const [unread, runId = ''] = idsOf(2);
    await queue.add('deliver', { v: 3, runIds: [unread] });
    await queue.add('deliver', { v: 2, runIds: [unread, 7] });
    await queue.add('deliver', { runId });
    await waitFor('the jobs to be gone', async () => taken.length > 0 && (await isIdle()));
    expect([taken, errors]).toEqual([[runId], []]);
  });
});
