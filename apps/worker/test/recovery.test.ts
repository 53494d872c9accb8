import { randomUUID } from 'node:crypto';
import { createOwnerClaim, createOwnerFinish, SUCCEEDED, testRedisUrl } from '@postrider/db/testing';
import { hang, inTurn, type Receiver, startReceiver, startTcpProxy, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';
import { countDelayedJobs, flushPrefix } from './support/redis.ts';

let harness: Harness;
let receiver: Receiver;
beforeEach(async () => {
  [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
});

const hook = (path: string, answer = status(200), options: Parameters<typeof webhookChannel>[1] = {}) =>
  webhookChannel(receiver.endpoint(path, answer), options);
const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));
const webhookIds = (path: string) => receiver.received(path).map(({ headers }) => headers['webhook-id']);

describe('jobs that Redis has lost', () => {
  it('are added again for every due run, and nothing is sent twice', async () => {
    const fixture = await harness.fixture({ channels: [hook('/flushed')] });
    await many(100, () => harness.accept(fixture));
    await flushPrefix(testRedisUrl(), harness.keyPrefix);
    await harness.startWorker();
    await flushPrefix(testRedisUrl(), harness.keyPrefix);
    expect(new Set((await harness.drained(fixture)).values())).toEqual(new Set(['succeeded']));
    expect(new Set(webhookIds('/flushed')).size).toBe(100);
    expect(webhookIds('/flushed')).toHaveLength(100);
  });

  it('are added again for a retry that was only a delayed job', async () => {
    const channel = hook('/retry-lost', inTurn(status(500), status(200)), { delaysSeconds: [5] });
    const fixture = await harness.fixture({ channels: [channel] });
    await harness.startWorker();
    const event = await harness.accept(fixture);
    const delayed = () => countDelayedJobs(testRedisUrl(), harness.keyPrefix, 'webhook');
    await waitFor('the delayed job', async () => (await delayed()) === 1);
    await flushPrefix(testRedisUrl(), harness.keyPrefix);
    expect(await delayed()).toBe(0);
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts.map((attempt) => attempt.status)).toEqual(['failed', 'succeeded']);
  });
});

describe('a worker without Postgres', () => {
  it('starts, and delivers when Postgres is available', async () => {
    const proxy = await startTcpProxy(harness.databaseUrl, { fault: 'reset' });
    const fixture = await harness.fixture({ channels: [hook('/late-postgres')] });
    await harness.startWorker({ databaseUrl: proxy.url });
    const event = await harness.accept(fixture);
    await waitFor('the outage to be noticed', () => harness.log.some((line) => line.level === 'error'));
    proxy.set(null);
    await harness.runIn(fixture, event, ['succeeded']);
    expect(webhookIds('/late-postgres')).toHaveLength(1);
    await harness.close();
    await proxy.close();
    harness = await startHarness();
  });

  it('writes the result of an open attempt when Postgres returns, and sends nothing twice', async () => {
    const proxy = await startTcpProxy(harness.databaseUrl);
    const answers: (() => void)[] = [];
    const channel = hook('/outage-meanwhile', (response) => {
      answers.push(() => response.writeHead(200).end());
    });
    const fixture = await harness.fixture({ channels: [channel] });
    await harness.startWorker({ databaseUrl: proxy.url });
    const event = await harness.accept(fixture);
    await waitFor('the request', () => answers.length === 1);
    proxy.set('reset');
    for (const answer of answers) answer();
    await waitFor('the outage to be noticed', () => harness.log.some((line) => line.level === 'error'));
    proxy.set(null);
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts).toMatchObject([{ number: 1, status: 'succeeded' }]);
    expect(webhookIds('/outage-meanwhile')).toHaveLength(1);
    await harness.close();
    await proxy.close();
    harness = await startHarness();
  });
});

describe('a worker that is lost', () => {
  it('leaves an unknown attempt, and another worker delivers the run', async () => {
    const fixture = await harness.fixture({ channels: [hook('/lost', status(200), { timeoutMs: 1_000 })] });
    const event = await harness.accept(fixture, { enqueue: false });
    const lost = await createOwnerClaim(harness.db)({
      runId: event.runIds[0] ?? '',
      attemptId: randomUUID(),
    });
    if (lost.outcome !== 'claimed') throw new Error(lost.outcome);
    await harness.db.$executeRaw`UPDATE delivery_runs SET lease_until = now() - interval '1 second'`;
    await harness.startWorker();
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts).toMatchObject([
      { number: 1, status: 'unknown', errorCode: 'worker_lost', retryable: true },
      { number: 2, status: 'succeeded' },
    ]);

    expect(await createOwnerFinish(harness.db)(lost.run, SUCCEEDED)).toBe('stale');
    expect((await harness.run(fixture, event)).attempts[0]?.status).toBe('unknown');
  });

  it('writes nothing if its lease expired while it was sending', async () => {
    const answers: (() => void)[] = [];
    const channel = hook('/paused', (response, nth) => {
      if (nth > 1) response.writeHead(200).end();
      else answers.push(() => response.writeHead(500).end());
    });
    const fixture = await harness.fixture({ channels: [channel] });
    await harness.startWorker();
    const event = await harness.accept(fixture);
    await waitFor('the first request', () => answers.length === 1);
    await harness.db.$executeRaw`UPDATE delivery_runs SET lease_until = now() - interval '1 second'`;
    const run = await harness.runIn(fixture, event, ['succeeded']);
    for (const answer of answers) answer();
    await waitFor('the late result to be refused', () => harness.log.find((line) => line.written === false));
    expect(await harness.run(fixture, event)).toEqual(run);
    expect(run.attempts.map((attempt) => attempt.status)).toEqual(['unknown', 'succeeded']);
  });
});

describe('a worker that stops', () => {
  it('finishes the attempts that are open', async () => {
    const channel = hook('/slow', (response) => {
      setTimeout(() => response.writeHead(200).end(), 500);
    });
    const fixture = await harness.fixture({ channels: [channel] });
    const worker = await harness.startWorker();
    const events = await many(5, () => harness.accept(fixture));
    await waitFor('the requests', () => receiver.received('/slow').length === 5);
    await worker.stop(10_000);
    for (const event of events) expect((await harness.run(fixture, event)).status).toBe('succeeded');
  });

  it('is alive but not ready meanwhile', async () => {
    const answers: (() => void)[] = [];
    const channel = hook('/draining', (response) => {
      answers.push(() => response.writeHead(200).end());
    });
    const fixture = await harness.fixture({ channels: [channel] });
    const worker = await harness.startWorker();
    const event = await harness.accept(fixture);
    await waitFor('the request', () => answers.length === 1);
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${worker.port}${path}`)).status;
    expect(await statusOf('/readyz')).toBe(200);
    const stopped = worker.stop(10_000);
    expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200]);
    for (const answer of answers) answer();
    await stopped;
    expect((await harness.run(fixture, event)).status).toBe('succeeded');
  });

  it('aborts hanging attempts at its deadline with an unknown outcome', async () => {
    const fixture = await harness.fixture({ channels: [hook('/stuck', hang, { timeoutMs: 15_000 })] });
    const worker = await harness.startWorker();
    const event = await harness.accept(fixture);
    await waitFor('the request', () => receiver.received('/stuck').length === 1);
    await worker.stop(200);
    const run = await harness.run(fixture, event);
    expect(run).toMatchObject({ status: 'retrying', attempts: [{ status: 'unknown' }] });
  });

  it('ends its attempts in time even if a sweep hangs', async () => {
    const fixture = await harness.fixture({ channels: [hook('/swept', hang, { timeoutMs: 15_000 })] });
    const sweepPauses = { expiredAnswers: 10 };
    const worker = await harness.startWorker({ sweepPauses });
    const event = await harness.accept(fixture);
    await waitFor('the request', () => receiver.received('/swept').length === 1);
    const isSweepWaiting = async () => {
      const waiting = await harness.db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return waiting.length > 0;
    };
    await harness.db.$transaction(
      async (tx) => {
        // Postgres would end a transaction that is idle for 3 s, and the sweep could continue.
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
        await tx.$executeRaw`LOCK TABLE idempotency_records IN ACCESS EXCLUSIVE MODE`;
        await waitFor('the sweep to hang', isSweepWaiting);
        void worker.stop(200);
        await harness.runIn(fixture, event, ['retrying']);
      },
      // Shorter than the 10 s after which Postgres ends the sweep's statement.
      { timeout: 7_000 },
    );
  });
});
