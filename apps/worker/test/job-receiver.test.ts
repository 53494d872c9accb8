import { randomUUID } from 'node:crypto';
import { testRedisUrl } from '@postrider/db/testing';
import {
  createProducer,
  type ParsedJob,
  type Producer,
  queueName,
  queuePrefix,
  type RedisClient,
} from '@postrider/queue';
import { waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { Queue } from 'bullmq';
import { createJobReceiver, type JobReceiver } from '../src/scheduler/start.ts';
import { connectToRedis, flushPrefix } from './support/redis.ts';

let keyPrefix: string;
let redis: RedisClient;
let queue: Queue;
let producer: Producer;
let errors: unknown[];
const receivers: JobReceiver[] = [];

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
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await Promise.all([producer.close(), queue.close()]);
  redis.disconnect();
  await flushPrefix(testRedisUrl(), keyPrefix);
});

function consume(
  onJob: (job: ParsedJob) => void,
  untilRoom: () => Promise<void> = async () => undefined,
): JobReceiver {
  const onError = (error: unknown) => errors.push(error);
  const options = { redisUrl: testRedisUrl(), prefix: keyPrefix, untilRoom, onJob, onError };
  const receiver = createJobReceiver('webhook', options);
  receivers.push(receiver);
  return receiver;
}

const wake = (channelId: string) =>
  producer.enqueue([{ channelId, channelKind: 'webhook', delayMs: 0, dueMs: 7 }]);
const counts = () => queue.getJobCounts('waiting', 'active', 'delayed');
const isIdle = async () => Object.values(await counts()).every((count) => count === 0);

describe('a job receiver', () => {
  it('says that a channel has work when its job is gone, so that a later wake-up is a job of its own', async () => {
    const channelId = randomUUID();
    const existed: boolean[] = [];
    let jobs = 0;
    consume(({ ...job }) => {
      jobs += 1;
      expect(job).toEqual({ channelIds: [channelId], dueMs: 7 });
      void queue.getJob(`wake-${channelId}`).then((found) => existed.push(found !== undefined));
      if (jobs === 1) void wake(channelId);
    });
    await wake(channelId);
    await waitFor('both jobs', () => existed.length === 2);
    expect(existed[0]).toBe(false);
    await waitFor('the jobs to be gone', isIdle);
  });

  it('leaves all jobs but one to others while it has no room', async () => {
    let letGo: () => void = () => undefined;
    const room = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const said: ParsedJob[] = [];
    const isFull = { now: true };
    const untilRoom = () => (isFull.now ? room : Promise.resolve());
    consume((job) => said.push(job), untilRoom);
    const channels = Array.from({ length: 4 }, () => randomUUID());
    await wake(channels[0] as string);
    await waitFor('the first job', async () => (await counts()).active === 1);
    for (const channelId of channels.slice(1)) await wake(channelId);
    const taken: ParsedJob[] = [];
    consume((job) => taken.push(job));
    await waitFor('the others', () => taken.length === 3);
    expect([said, (await counts()).active]).toEqual([[], 1]);
    isFull.now = false;
    letGo();
    await waitFor('its own', () => said.length === 1);
    expect(said).toEqual([{ channelIds: [channels[0]], dueMs: 7 }]);
  });

  it('removes a job that it cannot read, and takes the next one', async () => {
    const said: ParsedJob[] = [];
    consume((job) => said.push(job));
    const channelId = randomUUID();
    await queue.add('deliver', { v: 3, runIds: [channelId] });
    await wake(channelId);
    await waitFor('the jobs to be gone', async () => said.length > 0 && (await isIdle()));
    expect([said, errors]).toEqual([[{ channelIds: [channelId], dueMs: 7 }], []]);
  });
});
