import { randomUUID } from 'node:crypto';
import { testRedisUrl } from '@postrider/db/testing';
import type { WakeUp } from '@postrider/domain';
import { startRedisCluster } from '@postrider/local-stack/testing';
import { waitFor } from '@postrider/rig';
import { afterEach, describe, expect, it } from '@postrider/testing';
import { Queue } from 'bullmq';
import keySlot from 'cluster-key-slot';
import { createProducer, openRedis, type Producer, queueName, queuePrefix } from '../src/index.ts';
import { shardOf, shardTag } from '../src/job.ts';

const SLOTS = 16_384;
const PATIENT_MS = 10_000;

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

function openProducer(redisUrl: string, prefix: string, shards: number, deadlineMs = PATIENT_MS): Producer {
  const producer = createProducer({ redisUrl, prefix, shards, deadlineMs, onError: () => undefined });
  ended.push(producer.close);
  return producer;
}

const wakeUps = (count: number): WakeUp[] =>
  Array.from({ length: count }, () => ({ channelId: randomUUID(), channelKind: 'webhook', delayMs: 0 }));
const jobIdOf = ({ channelId }: WakeUp) => `wake-${channelId}`;

/** The waiting jobs of each shard's queue, by id. */
async function jobsByShard(
  prefix: string,
  shards: number,
  url = testRedisUrl(),
): Promise<readonly (readonly string[])[]> {
  const redis = openRedis(url, { offline: 'queue', silenceLimitMs: 5_000 });
  try {
    return await Promise.all(
      Array.from({ length: shards }, async (_, shard) => {
        const queue = new Queue(queueName('webhook'), {
          connection: redis,
          prefix: queuePrefix(redis, prefix, shard),
        });
        const ids = (await queue.getWaiting()).map(({ id }) => id ?? '');
        await queue.close();
        return ids.sort();
      }),
    );
  } finally {
    redis.disconnect();
  }
}

describe('shard tags', () => {
  it.each([3, 6, 12, 24])('spread %i shards evenly over the slots of a Cluster', (shards) => {
    const slots = Array.from({ length: shards }, (_, shard) => keySlot(shardTag('postrider', shard)));
    const sorted = slots.sort((one, other) => one - other);
    const gaps = sorted.map((slot, index) => (sorted[(index + 1) % shards] ?? 0) - slot);
    const widths = gaps.map((gap) => (gap + SLOTS) % SLOTS);
    expect(Math.max(...widths)).toBeLessThanOrEqual(SLOTS / shards + 130);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(SLOTS / shards - 130);
  });

  it('do not change the keys of the first shard', () => {
    expect(shardTag('postrider', 0)).toBe('postrider');
  });
});

describe('a producer with shards', () => {
  it('puts each job into one of the queues, and the same job always into the same queue', async () => {
    const prefix = `test-${randomUUID()}`;
    const producer = openProducer(testRedisUrl(), prefix, 3);
    await waitFor('Redis', producer.ready);
    const added = wakeUps(60);
    for (let time = 0; time < 2; time += 1) {
      for (const one of added) await producer.enqueue([one]);
    }

    const stored = await jobsByShard(prefix, 3);
    const expected = [0, 1, 2].map((shard) => added.map(jobIdOf).filter((id) => shardOf(id, 3) === shard));
    expect(stored).toEqual(expected.map((ids) => ids.sort()));
  });
});

describe('shards in a Cluster with three primaries', () => {
  it("share the work, and a failover stops only its primary's share, and only while it lasts", async () => {
    const prefix = 'postrider';
    const cluster = await startRedisCluster(`{${prefix}}`);
    ended.push(cluster.stop);
    const producer = openProducer(cluster.url, prefix, 3, 1_000);
    await waitFor('the Cluster', producer.ready);
    const add = async (count: number) => {
      const added = wakeUps(count);
      for (const one of added) await producer.enqueue([one]);
      return added.map(jobIdOf);
    };
    /** How many of these jobs each shard does not have. */
    const failedOf = async (ids: readonly string[]) => {
      const stored = await jobsByShard(prefix, 3, cluster.url);
      return stored.map((found, shard) => {
        const has = new Set(found);
        return ids.filter((id) => shardOf(id, 3) === shard && !has.has(id)).length;
      });
    };
    const addsAll = async () => (await failedOf(await add(30))).every((failed) => failed === 0);
    await waitFor('all queues', addsAll);

    const before = await cluster.scriptsRun();
    expect(await failedOf(await add(90))).toEqual([0, 0, 0]);
    const shares = (await cluster.scriptsRun()).map((count, primary) => count - (before[primary] ?? 0));
    expect(Math.min(...shares)).toBeGreaterThan(10);

    let isOver = false;
    const failover = cluster.failOver().finally(() => {
      isOver = true;
    });
    const during: string[] = [];
    while (!isOver) during.push(...(await add(9)));
    await failover;
    await waitFor('the failed-over share', addsAll);
    const [failed, ...others] = await failedOf(during);
    expect(failed).toBeGreaterThan(0);
    expect(others).toEqual([0, 0]);
  }, 180_000);
});
