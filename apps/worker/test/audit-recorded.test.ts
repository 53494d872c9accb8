import { switchChannel } from '@postrider/db';
import { actorNamed } from '@postrider/db/testing';
import { createUuidV7Source, type JsonObject } from '@postrider/domain';
import { startReceiver, status, waitFor } from '@postrider/rig';
import { expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { startHarness } from './support/harness.ts';

const newId = createUuidV7Source();

interface Report {
  readonly data: { readonly payload: JsonObject };
}

it('an operational channel of AUDIT_ENVIRONMENT gets each entry of the audit log once, also about itself', async () => {
  const harness = await startHarness({ fastSweeps: ['auditChain', 'operationalEvents'] });
  const receiver = await startReceiver();
  try {
    const { environmentId, channels } = await harness.fixture({
      channels: [
        {
          ...webhookChannel(receiver.endpoint('/audit', status(200))),
          eventKeys: ['audit.*'],
          operational: true,
        },
        webhookChannel(receiver.endpoint('/other', status(200))),
      ],
    });
    // Two workers: one of them appends to the chain.
    for (let worker = 0; worker < 2; worker += 1)
      await harness.startWorker({ auditEnvironment: environmentId });
    const received = () =>
      receiver.received('/audit').map(({ body }) => (JSON.parse(body) as Report).data.payload);
    const ofAda = () => received().filter(({ actor }) => actor === 'ada');
    const deps = { db: harness.db, newId, actor: actorNamed('ada') };
    /** Pauses or resumes a channel, and waits until its entry has arrived. Deliveries of reports add no entry. */
    const change = async (index: number, to: 'paused' | 'resumed', arrived: number) => {
      await switchChannel(deps, { channelId: channels[index]?.id ?? '', to });
      await waitFor(`report ${arrived}`, () => ofAda().length >= arrived);
    };
    await change(1, 'paused', 1);
    await change(1, 'resumed', 2);
    await change(0, 'paused', 2);
    await change(0, 'resumed', 4);
    // Reports that were held come in any order.
    const bySequence = ofAda().sort((one, other) => Number(one.sequence) - Number(other.sequence));
    expect(bySequence.map(({ action }) => action)).toEqual([
      ...['channel.paused', 'channel.resumed', 'channel.paused', 'channel.resumed'],
    ]);
    expect(new Set(received().map(({ sequence }) => sequence)).size).toBe(received().length);
    // The fixture's entries, and nothing about reports or their deliveries.
    expect(await harness.db.auditEntry.count()).toBe(received().length);
    expect(receiver.received('/other')).toEqual([]);
  } finally {
    await harness.close();
    await receiver.close();
  }
});
