import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { testRedisUrl } from '@postrider/db/testing';
import { startRedis } from '@postrider/local-stack';
import { createProducer, DEFAULT_KEY_PREFIX, queueName, queuePrefix } from '@postrider/queue';
import { hang, type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { Queue } from 'bullmq';
import { webhookChannel } from './support/channels.ts';
import { type AcceptedEvent, type Harness, startHarness } from './support/harness.ts';
import { connectToRedis } from './support/redis.ts';

const MAIN = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const range = (count: number) => Array.from({ length: count }, (_value, index) => index);
const runsOf = (events: readonly AcceptedEvent[]) => events.flatMap(({ wakeUps }) => wakeUps);

describe('runs that were accepted together', () => {
  let harness: Harness;
  let queue: Queue;
  let disconnect: () => void;
  beforeEach(async () => {
    harness = await startHarness();
    const redis = connectToRedis(testRedisUrl());
    disconnect = () => redis.disconnect();
    const prefix = queuePrefix(redis, harness.keyPrefix);
    queue = new Queue(queueName('webhook'), { connection: redis, prefix });
  });
  afterEach(async () => {
    await queue.close();
    disconnect();
    await harness.close();
  });

  it('share a job, which a hanging endpoint neither keeps open nor delays', async () => {
    const channels = range(8).map((index) =>
      webhookChannel(receiver.endpoint(`/${index}`, index === 3 ? hang : status(200))),
    );
    const fixture = await harness.fixture({ channels });
    await harness.accept(fixture);
    expect(await queue.getWaitingCount()).toBe(1);
    await Promise.all(range(2).map(() => harness.accept(fixture)));

    const worker = await harness.startWorker();
    await waitFor('the others to be written', async () => {
      const succeeded = await harness.db.deliveryRun.count({ where: { status: 'succeeded' } });
      return succeeded === 21;
    });
    expect(await queue.getJobCounts('waiting', 'active', 'delayed')).toEqual({
      waiting: 0,
      active: 0,
      delayed: 0,
    });
    await worker.stop(0);
  });

  it('and scheduled for the same time share the delayed job of their channel, and none is sent early', async () => {
    const fixture = await harness.fixture({
      channels: range(8).map((index) => webhookChannel(receiver.endpoint(`/${index}`, status(200)))),
    });
    const [row] = await harness.db.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
    const scheduleAt = new Date((row?.now.getTime() ?? 0) + 2_000);
    const events = [
      await harness.accept(fixture, { scheduleAt }),
      await harness.accept(fixture, { scheduleAt }),
    ];
    const jobs = await queue.getDelayedCount();
    await harness.startWorker();
    await harness.drained(fixture);
    const attempts = await harness.db.attempt.findMany({ select: { startedAt: true, status: true } });
    expect([events.length, jobs, attempts.length]).toEqual([2, 8, 16]);
    for (const { startedAt, status: ended } of attempts) {
      expect(ended).toBe('succeeded');
      expect(startedAt.getTime()).toBeGreaterThanOrEqual(scheduleAt.getTime());
    }
  });

  it('stay in Redis for other workers, but for as many channels as a worker has free slots', async () => {
    let isHanging = false;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const answer = async (...call: Parameters<typeof hang>) => {
      if (isHanging) await ended;
      return status(200)(...call);
    };
    const fixture = await harness.fixture({
      channels: range(8).map((index) =>
        webhookChannel(receiver.endpoint(`/${index}`, answer), { timeoutMs: 30_000 }),
      ),
    });
    await harness.startWorker({ concurrency: 2 });
    // The worker knows the channels from now on: they take slots at once.
    await harness.accept(fixture);
    await harness.drained(fixture);
    isHanging = true;
    const event = await harness.accept(fixture, { enqueue: false });
    await harness.producer.enqueue(event.wakeUps);
    const named = async (state: 'waiting' | 'active') =>
      (await queue.getJobs([state])).flatMap(({ data }) => data.channels ?? [data.channel]);
    const requests = () => range(8).flatMap((index) => receiver.received(`/${index}`)).length;
    await waitFor('two requests', () => requests() === 10);
    await waitFor('jobs of the others, of which the worker keeps that of one channel', async () => {
      const [waiting, active] = [await named('waiting'), await named('active')];
      return new Set(waiting).size >= 5 && active.length === 1 && requests() === 10;
    });
    end();
    expect(new Set((await harness.drained(fixture)).values())).toEqual(new Set(['succeeded']));
  });

  it('are sent once each, however often their channel is woken', async () => {
    const fixture = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/once', status(200)))],
    });
    const events = await Promise.all(range(50).map(() => harness.accept(fixture, { enqueue: false })));
    const runs = runsOf(events);
    await harness.producer.enqueue(runs);
    await harness.producer.enqueue([...runs].reverse());
    for (const run of runs.slice(0, 10)) await harness.producer.enqueue([run]);
    await harness.startWorker();
    await harness.drained(fixture);
    expect(receiver.received('/once')).toHaveLength(50);
  });
});

describe('the runs of a worker that is killed', () => {
  it('are all delivered: claimed ones when their leases end, the others at once', async () => {
    const redis = await startRedis();
    const harness = await startHarness({ redisUrl: redis.url });
    const producer = createProducer({
      redisUrl: redis.url,
      prefix: DEFAULT_KEY_PREFIX,
      deadlineMs: 10_000,
      onError: () => undefined,
    });
    let isKilled = false;
    const channels = range(6).map((index) =>
      webhookChannel(
        receiver.endpoint(`/${index}`, (...call) => (isKilled ? status(200) : hang)(...call)),
        { timeoutMs: 10_000 },
      ),
    );
    const fixture = await harness.fixture({ channels });
    const event = await harness.accept(fixture, { enqueue: false });
    await waitFor('Redis', () => producer.ready());
    await producer.enqueue(event.wakeUps);
    await producer.close();

    const { PATH = '' } = process.env;
    const killed = spawn(process.execPath, [MAIN], {
      env: {
        PATH,
        NODE_ENV: 'test',
        DATABASE_URL: harness.databaseUrl,
        REDIS_URL: redis.url,
        WORKER_PORT: '0',
        METRICS_PORT: '0',
        WORKER_CONCURRENCY: '2',
        EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
        ENCRYPTION_KEYS: harness.encryptionKeys,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(killed, 'close');
    const log = text(killed.stdout);
    const requests = () => range(6).flatMap((index) => receiver.received(`/${index}`)).length;
    await Promise.race([
      waitFor('two requests', () => requests() === 2),
      ended.then(async () => Promise.reject(new Error(`the worker has ended: ${await log}`))),
    ]);
    killed.kill('SIGKILL');
    await ended;
    isKilled = true;

    await harness.startWorker({ keyPrefix: DEFAULT_KEY_PREFIX });
    expect(new Set((await harness.drained(fixture)).values())).toEqual(new Set(['succeeded']));
    const statuses = await Promise.all(
      range(6).map(async (index) =>
        (await harness.run(fixture, event, index)).attempts.map((attempt) => attempt.status),
      ),
    );
    expect(statuses.map((each) => each.join()).sort()).toEqual([
      ...range(4).map(() => 'succeeded'),
      ...range(2).map(() => 'unknown,succeeded'),
    ]);
    await harness.close();
    await redis.stop();
  });
});
