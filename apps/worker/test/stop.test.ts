import { randomUUID } from 'node:crypto';
import type { RunToDeliver } from '@postrider/db';
import { createOwnerClaim, testRedisUrl } from '@postrider/db/testing';
import { createProducer, queueName, queuePrefix } from '@postrider/queue';
import { waitFor } from '@postrider/rig';
import { createBoundedLog, createLogger } from '@postrider/telemetry';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createConsumer, createPlaces } from '../src/consumer.ts';
import { createConcurrencyLimiter } from '../src/deliver/concurrency-limiter.ts';
import { createDelivering, type Delivering } from '../src/deliver/deliver.ts';
import { createLogErrors } from '../src/log-errors.ts';
import { type StopDeps, stopInOrder } from '../src/stop.ts';
import { SWEEP_INTERVALS } from '../src/sweeps/start.ts';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';
import { holdRow } from './support/hold-row.ts';
import { openGate, runOf } from './support/open-gate.ts';
import { connectToRedis, flushPrefix } from './support/redis.ts';

/** Beyond every limit of a test: waiting for it fails. */
const FAR_DEADLINE_MS = 600_000;
const never = new Promise<never>(() => undefined);
const nothing = async () => undefined;

/** An idle worker with the overrides of the test, and the lines that its stop logs. */
function idle(overrides: Partial<StopDeps>): { deps: StopDeps; lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger({ service: 'worker', level: 'info', write: (line) => lines.push(line) });
  const log = createBoundedLog(logger, { perKeyPerMinute: 5 });
  const deps: StopDeps = {
    delivering: { stopStarting: () => undefined, drain: nothing },
    consumers: { pause: nothing, settled: nothing, close: nothing },
    sweeps: { stop: nothing },
    closings: () => [],
    log,
    logErrors: createLogErrors(log, logger),
    monotonicMs: () => performance.now(),
    ...overrides,
  };
  return { deps, lines };
}

describe('the stop of an idle worker', () => {
  it.each<[string, Partial<StopDeps>]>([
    ['a sweep', { sweeps: { stop: () => never } }],
    ['a consumer that cannot pause', { consumers: { pause: () => never, settled: nothing, close: nothing } }],
    ['a job', { consumers: { pause: nothing, settled: () => never, close: nothing } }],
  ])('does not wait for its deadline because of %s', async (_what, overrides) => {
    let closed = false;
    const { deps, lines } = idle({
      ...overrides,
      closings() {
        closed = true;
        return [];
      },
    });
    await stopInOrder(deps, FAR_DEADLINE_MS);
    expect([closed, lines]).toEqual([true, []]);
  });

  it('logs if something does not close', async () => {
    const { deps, lines } = idle({ closings: () => [never] });
    await stopInOrder(deps, FAR_DEADLINE_MS);
    expect(lines).toEqual([expect.stringContaining('did not close in time')]);
  });
});

describe('a job whose channel is being read when the worker stops', () => {
  const keyPrefix = `test-${randomUUID()}`;
  const redis = connectToRedis(testRedisUrl());
  afterAll(async () => {
    redis.disconnect();
    await flushPrefix(testRedisUrl(), keyPrefix);
  });

  /** A delivery that only reads channels, on demand. */
  function lookForChannels(): { delivering: Delivering; find: () => void } {
    let find = (): void => undefined;
    const found = new Promise<RunToDeliver>((resolve) => {
      find = () => resolve(runOf(randomUUID(), randomUUID()));
    });
    const delivering = createDelivering({
      limiter: createConcurrencyLimiter(10),
      renderPlaces: openGate(),
      findRun: () => found,
      findDueRuns: async () => [],
      claim: () => never,
      claimWithin: () => never,
      newId: randomUUID,
      jitter: Math.random,
      runAttempt: () => never,
      report: () => undefined,
      onError: () => undefined,
      monotonicMs: () => performance.now(),
    });
    return { delivering, find };
  }

  it('is in the delayed set again after the stop', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const { delivering, find } = lookForChannels();
    const producer = createProducer({
      redisUrl: testRedisUrl(),
      prefix: keyPrefix,
      deadlineMs: 10_000,
      onError,
    });
    const consumer = createConsumer('webhook', delivering.deliver, {
      redisUrl: testRedisUrl(),
      prefix: keyPrefix,
      places: createPlaces(1),
      onError,
    });
    await waitFor('Redis', () => producer.ready());
    await producer.enqueue([{ runId: randomUUID(), channelKind: 'webhook', attempt: 1, delayMs: 0 }]);
    await waitFor('the job', () => consumer.received() === 1);
    const { deps } = idle({
      delivering,
      consumers: {
        ...consumer,
        settled() {
          // A turn later than a stop that did not wait would have closed the connection.
          setImmediate(find);
          return consumer.settled();
        },
      },
      closings: () => [producer.close()],
    });
    await stopInOrder(deps, FAR_DEADLINE_MS);
    const queue = `${queuePrefix(redis, keyPrefix)}:${queueName('webhook')}`;
    expect(await redis.zcard(`${queue}:delayed`)).toBe(1);
    expect(await redis.llen(`${queue}:active`)).toBe(0);
    expect(errors).toEqual([]);
  });
});

describe('a sweep that waits for a row', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('does not delay the stop of an idle worker', async () => {
    const { db } = harness;
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    const { runIds } = await harness.accept(fixture, { enqueue: false });
    const [runId = ''] = runIds;
    const attemptId = randomUUID();
    await createOwnerClaim(db)({ runId, attemptId });
    await db.$executeRaw`
      UPDATE delivery_runs SET lease_until = now() - interval '1 minute' WHERE id = ${runId}::uuid`;
    const isSweepWaiting = async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return waiting.length > 0;
    };

    const { letGo } = await holdRow(db, 'attempts', attemptId);
    try {
      const worker = await harness.startWorker({ sweepIntervals: { ...SWEEP_INTERVALS, leases: 10 } });
      await waitFor('the sweep to wait', isSweepWaiting);
      await worker.stop(FAR_DEADLINE_MS);
      // Postgres ends the statement after 10 s; the stop has 2 s for the sweep and 3 s for the connections.
      expect(await isSweepWaiting()).toBe(true);
    } finally {
      await letGo();
    }
  });
});
