import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createFixture, createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import { type Listening, startHttpReceiver, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { type Cleanup, createCleanup } from '../src/index.ts';
import {
  startRedisBehindSentinel,
  startRedisCluster,
  startTestService,
  type TestService,
} from '../src/testing/index.ts';

const KEY = Buffer.alloc(32, 7);
const EVENTS = 300;
const IN_FLIGHT = 4;

let cleanup: Cleanup;
let database: TestDatabase;
let receiver: Listening;
let delivered: string[];

beforeEach(async () => {
  cleanup = createCleanup();
  delivered = [];
  receiver = cleanup.keep(
    await startHttpReceiver(({ headers }, response) => {
      delivered.push(String(headers['webhook-id']));
      response.end();
    }),
    (listening) => listening.close(),
  );
  database = await createTestDatabase();
  cleanup.add(database.drop);
});
afterEach(() => cleanup.run());

async function startService(redisUrl: string, shards: number): Promise<TestService> {
  const service = await startTestService({
    databaseUrl: database.url,
    redisUrl,
    worker: true,
    env: { ENCRYPTION_KEYS: `test:${KEY.toString('base64')}`, QUEUE_SHARDS: String(shards) },
  });
  cleanup.add(service.stop);
  return service;
}

/** Creates an environment whose webhooks go to the receiver. */
async function createEnvironment() {
  const config = { url: receiver.url, timeout_ms: 5_000 };
  return createFixture(
    database.db,
    {
      plan: { requestsPerSecond: 10_000, burst: 10_000 },
      channels: [{ kind: 'webhook', name: 'hook', config, retry: { max_attempts: 5, delays_seconds: [1] } }],
    },
    createSecretBox([{ id: 'test', key: KEY }]),
  );
}

async function postEvent(service: TestService, token: string): Promise<{ status: number; runId: string }> {
  const response = await fetch(`${service.url}/api/v1/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ event_key: 'order.shipped', recipient: {}, payload: { order: 1 } }),
  });
  const body = (await response.json()) as { delivery_runs?: { id: string }[] };
  return { status: response.status, runId: body.delivery_runs?.[0]?.id ?? '' };
}

/** Posts events, a few at a time: at least `EVENTS`, and until `isEnough` returns true. */
async function postMany(service: TestService, token: string, isEnough: () => boolean) {
  const answers: { status: number; runId: string }[] = [];
  const post = async () => {
    while (answers.length < EVENTS || !isEnough()) {
      answers.push(await postEvent(service, token));
      await pause(10);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, post));
  return answers;
}

const saysOf = (app: TestService['worker'], dependency: string) =>
  fetch(`${app?.url}/readyz`)
    .then((response) => response.json() as Promise<{ checks: Record<string, string> }>)
    .then(({ checks }) => checks[dependency]);

async function allDelivered(count: number): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (new Set(delivered).size < count && performance.now() < giveUpAt) await pause(20);
}

const topologies = [
  ['in Cluster mode', 1, () => startRedisCluster('{postrider}')],
  ['in Cluster mode, with three shards', 3, () => startRedisCluster('{postrider}')],
  ['behind Sentinel', 1, startRedisBehindSentinel],
] as const;

describe.each(topologies)('with Redis %s', (_name, shards, startTopology) => {
  it('the service delivers, and a failover under load loses and duplicates nothing', async () => {
    const redis = await startTopology();
    cleanup.add(redis.stop);
    const [service, { token }] = await Promise.all([startService(redis.url, shards), createEnvironment()]);
    await postEvent(service, token);
    await allDelivered(1);
    let isOver = false;
    const failover = redis.failOver().finally(() => {
      isOver = true;
    });
    const answers = await postMany(service, token, () => isOver);
    await failover;
    await allDelivered(answers.length + 1);
    // Also of the worker, which adds no jobs.
    for (const app of [service.api, service.worker]) {
      const isBack = async () => (await saysOf(app, 'redis')) === 'ok';
      await waitFor(`${app?.url} to use Redis again`, isBack);
    }

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(delivered).size).toBe(answers.length + 1);
    expect(delivered).toHaveLength(answers.length + 1);
    expect(delivered).toEqual(expect.arrayContaining(answers.map(({ runId }) => runId)));
  }, 180_000);
});
