import { createReplayBatch, readReplayBatch } from '@postrider/db';
import { actorNamed } from '@postrider/db/testing';
import { createUuidV7Source } from '@postrider/domain';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([startHarness({ fastSweeps: ['replayBatches'] }), startReceiver()]);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

describe('a bulk replay', () => {
  it('replays each message once, even if a worker disappears in between', async () => {
    const url = receiver.endpoint('/bulk', status(200));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const { environmentId } = fixture;
    const first = await harness.startWorker();
    const events = await Promise.all(Array.from({ length: 60 }, () => harness.accept(fixture)));
    await harness.drained(fixture);
    const created = await createReplayBatch(
      {
        db: harness.db,
        newId: createUuidV7Source(),
        actor: actorNamed('test'),
      },
      { environmentId, filter: {}, channelIds: null, consumerId: null, messagesPerSecond: 20 },
    );
    const batch = () => readReplayBatch(harness.db, created.id);
    await waitFor('the first page', async () => ((await batch())?.replayed ?? 0) > 0);
    await harness.startWorker();
    await first.stop(0);
    await waitFor('the end of the batch', async () => (await batch())?.status === 'completed');
    expect(await batch()).toMatchObject({ matched: 60, replayed: 60 });
    await harness.drained(fixture);

    const runs = await harness.db.deliveryRun.findMany({ where: { environmentId, replay: { gt: 0 } } });
    expect(runs.map(({ messageId, replay }) => [messageId, replay]).sort()).toEqual(
      events.map(({ messageId }) => [messageId, 1]).sort(),
    );
    const delivered = new Set(receiver.received('/bulk').map(({ headers }) => headers['webhook-id']));
    expect(delivered.size).toBe(120);
  });
});
