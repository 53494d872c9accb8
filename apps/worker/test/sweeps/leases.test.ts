import { randomUUID } from 'node:crypto';
import { findQuarantinedRuns } from '@postrider/db';
import { createOwnerClaim } from '@postrider/db/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { sweepLeases } from '../../src/sweeps/sweeps.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('the sweep of leases', () => {
  it('wakes the channel of a lost run, which keeps its due time and so is before the backlog', async () => {
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    const { runIds } = await harness.accept(fixture, { enqueue: false });
    const [runId = ''] = runIds;
    const before = await harness.db.deliveryRun.findUniqueOrThrow({ where: { id: runId } });
    await createOwnerClaim(harness.db)({ runId, attemptId: randomUUID() });
    await harness.db.$executeRaw`UPDATE delivery_runs SET lease_until = now() - interval '1 second'`;
    const woken: unknown[] = [];
    const enqueue = async (wakeUps: readonly unknown[]) => {
      woken.push(...wakeUps);
    };
    expect(await sweepLeases({ db: harness.db, enqueue })).toBe(1);
    expect(woken).toMatchObject([{ channelId: fixture.channels[0]?.id, channelKind: 'webhook', delayMs: 0 }]);
    expect(await harness.db.deliveryRun.findUniqueOrThrow({ where: { id: runId } })).toMatchObject({
      ...{ status: 'retrying', dueAt: before.dueAt },
    });
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
    };
    expect(await sweepLeases({ db: harness.db, enqueue })).toBe(1);
    expect(added).toEqual([]);
    const quarantined = await findQuarantinedRuns(harness.db, { limit: 10, withoutChannels: [] });
    expect(quarantined.map(({ runId }) => runId)).toEqual(runIds);
  });
});
