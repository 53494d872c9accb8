import { randomUUID } from 'node:crypto';
import { findQuarantinedRuns } from '@postrider/db';
import { createOwnerClaim, testRedisUrl } from '@postrider/db/testing';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createConsumer, createPlaces } from '../../src/consumer.ts';
import { sweepLeases } from '../../src/sweeps/leases.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('the sweep of leases', () => {
  it('enqueues the run of a lost worker before the backlog', async () => {
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
      {
        redisUrl: testRedisUrl(),
        prefix: harness.keyPrefix,
        places: createPlaces(1),
        onError: () => undefined,
      },
    );
    await waitFor('all jobs', () => taken.length === 301);
    await consumer.close();
    expect(taken).toEqual([...runIds, ...backlog]);
  });

  it('adds no job for a run that has lost three workers, which waits in quarantine', async () => {
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    const { runIds } = await harness.accept(fixture, { enqueue: false });
    await harness.db.$executeRaw`UPDATE delivery_runs SET lost_workers = 2 WHERE id = ${runIds[0]}::uuid`;
    await createOwnerClaim(harness.db)({ runId: runIds[0] ?? '', attemptId: randomUUID() });
    await harness.db.$executeRaw`
      UPDATE delivery_runs SET lease_until = now() - interval '1 second' WHERE status = 'running'`;
    const added: unknown[] = [];
    const enqueue = async (runs: readonly unknown[]) => {
      added.push(...runs);
      return { enqueued: runs.length, failed: 0 };
    };
    expect(await sweepLeases({ db: harness.db, enqueue })).toBe(1);
    expect(added).toEqual([]);
    const quarantined = await findQuarantinedRuns(harness.db, { limit: 10, withoutChannels: [] });
    expect(quarantined.map(({ runId }) => runId)).toEqual(runIds);
  });
});
