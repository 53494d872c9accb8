import { idDaysAgo } from '@postrider/db/testing';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([
    startHarness({ fastSweeps: ['expiredMessages'] }),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

const tomorrow = () => new Date(Date.now() + 86_400_000);

describe('messages beyond the retention of their plan', () => {
  it('are removed by concurrent workers, except those that are still to be delivered', async () => {
    const { db } = harness;
    const url = receiver.endpoint('/old', status(200));
    const fixture = await harness.fixture({ plan: { retentionDays: 7 }, channels: [webhookChannel(url)] });
    const { environmentId } = fixture;
    await Promise.all([harness.startWorker(), harness.startWorker()]);
    for (let sent = 0; sent < 10; sent += 1) await harness.accept(fixture);
    await harness.drained(fixture);
    const waiting = await harness.accept(fixture, { scheduleAt: tomorrow() });
    await db.$executeRaw`
      UPDATE messages SET id = ${idDaysAgo(8)}, created_at = created_at - interval '8 days'
       WHERE environment_id = ${environmentId}::uuid`;
    const young = await harness.accept(fixture, { scheduleAt: tomorrow() });
    await db.$executeRaw`UPDATE retention_turn SET next_at = now() - interval '1 second'`;

    await waitFor('the removal', async () => (await db.message.count({ where: { environmentId } })) === 2);
    const runs = await db.deliveryRun.findMany({ where: { environmentId } });
    expect(runs.map(({ id }) => id).sort()).toEqual([...waiting.runIds, ...young.runIds].sort());
    const totals = await db.removedDeliveries.findMany({ where: { environmentId } });
    expect(totals).toMatchObject([{ channelKind: 'webhook', status: 'succeeded', runs: 10n }]);
  });
});
