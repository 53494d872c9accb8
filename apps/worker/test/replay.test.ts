import { acceptReplay, draftRuns, readDeliveries } from '@postrider/db';
import { createTestTemplate } from '@postrider/db/testing';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

describe('a replay after the template was changed', () => {
  it('sends the new text, and the first run still refers to the old version', async () => {
    const url = receiver.endpoint('/replayed', status(200));
    const template = { channelKind: 'webhook', eventKey: 'order.shipped', activate: true } as const;
    const fixture = await harness.fixture({
      channels: [{ kind: 'webhook', name: 'hook', config: { url } }],
      templates: [{ ...template, body: { text: 'old' } }],
    });
    const { environmentId, tenantId } = fixture;
    const event = await harness.accept(fixture);
    await harness.runIn(fixture, event, ['succeeded']);

    const created = await createTestTemplate(harness.db, {
      ...template,
      environmentId,
      body: { text: 'new' },
    });
    const runs = [
      {
        channel: { id: fixture.channels[0]?.id ?? '', kind: 'webhook' as const, name: 'hook' },
        templateVersionId: created.id,
        maxAttempts: 3,
      },
    ];
    const replayed = await acceptReplay(harness.db, {
      ...draftRuns(runs, { now: new Date(), messageId: event.messageId }),
      tenantId,
      environmentId,
    });
    if (replayed.outcome !== 'accepted') throw new Error(replayed.outcome);
    await harness.producer.enqueue(replayed.wakeUps);

    const ended = await waitFor('both runs', async () => {
      const found = await readDeliveries(harness.db, { environmentId, messageId: event.messageId });
      return found?.rows.every((run) => run.status === 'succeeded') && found.rows;
    });
    expect(ended.map((run) => run.template?.version)).toEqual([1, 2]);
    expect(receiver.received('/replayed').map(({ body }) => JSON.parse(body))).toEqual([
      { text: 'old' },
      { text: 'new' },
    ]);
  });
});
