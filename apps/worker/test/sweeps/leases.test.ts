import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOwnerClaim, testRedisUrl } from '@postrider/db/testing';
import { createConsumer } from '../../src/consume.ts';
import { sweepLeases } from '../../src/sweeps/leases.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { waitFor } from '../support/wait.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('the sweep of leases', () => {
  it('puts the run of a lost worker before the backlog', async () => {
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    const { runIds } = await harness.accept(fixture, { enqueue: false });
    await createOwnerClaim(harness.db)({ runId: runIds[0] ?? '', attemptId: randomUUID() });
    await harness.db.$executeRaw`UPDATE delivery_runs SET lease_until = now() - interval '1 second'`;
    const backlog = Array.from({ length: 300 }, () => randomUUID());
    await harness.producer.enqueue(
      backlog.map((runId) => ({ runId, channelKind: 'webhook' as const, attempt: 1, delayMs: 0 })),
    );

    expect(await sweepLeases({ db: harness.db, enqueue: harness.producer.enqueue })).toBe(1);

    const taken: string[] = [];
    const consumer = createConsumer(
      'webhook',
      async (runId) => {
        taken.push(runId);
        return { outcome: 'done' };
      },
      { redisUrl: testRedisUrl(), prefix: harness.keyPrefix, concurrency: 1, onError: () => undefined },
    );
    await waitFor('all jobs', () => taken.length === 301);
    await consumer.close();
    expect(taken).toEqual([...runIds, ...backlog]);
  });
});
