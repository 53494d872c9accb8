import { channelKinds } from '@postrider/channels';
import { switchChannel } from '@postrider/db';
import { actorNamed, passTime } from '@postrider/db/testing';
import { createUuidV7Source } from '@postrider/domain';
import { type Receiver, startReceiver, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

const HOUR = 3_600_000;

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([startHarness({ fastSweeps: ['health'] }), startReceiver()]);
  await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

describe('a receiver that answers webhook-delivery: pause', () => {
  it.each([
    [200, ['succeeded']],
    [503, ['retrying', 'failed']],
  ] as const)('with %i pauses its channel until somebody resumes it', async (code, statuses) => {
    const path = `/pausing-${code}`;
    let asks = true;
    const url = receiver.endpoint(path, (response) =>
      response.writeHead(asks ? code : 200, asks ? { 'webhook-delivery': 'Pause' } : {}).end(),
    );
    const fixture = await harness.fixture({ channels: [webhookChannel(url, { maxAttempts: 1 })] });
    const channelId = fixture.channels[0]?.id ?? '';
    await harness.runIn(fixture, await harness.accept(fixture, { maxAttempts: 1 }), statuses);
    const health = () => harness.db.channelHealth.findUniqueOrThrow({ where: { channelId } });
    expect(await health()).toMatchObject({ state: 'paused', reason: 'receiver', nextProbeAt: null });

    // It is not probed: another channel is by the same sweep, and this one's run still waits.
    asks = false;
    const waiting = await harness.accept(fixture, { maxAttempts: 1 });
    await waitFor('the run to be held', async () => {
      const { held } = await harness.db.deliveryRun.findUniqueOrThrow({
        where: { id: waiting.runIds[0] ?? '' },
      });
      return held === 'paused';
    });
    const gone = receiver.endpoint(`/gone-${code}`, (response) => response.writeHead(410).end());
    const other = await harness.fixture({ channels: [webhookChannel(gone, { maxAttempts: 9 })] });
    await harness.accept(other, { maxAttempts: 9 });
    const both = [channelId, other.channels[0]?.id ?? ''];
    await waitFor('a probe of the other', async () => {
      for (const id of both) await passTime(harness.db, id, HOUR);
      return receiver.received(`/gone-${code}`).length > 1;
    });
    expect(receiver.received(path)).toHaveLength(1);

    const deps = {
      db: harness.db,
      newId: createUuidV7Source(),
      actor: actorNamed('test'),
      kinds: channelKinds,
    };
    await switchChannel(deps, { channelId, to: 'resumed' });
    await harness.runIn(fixture, waiting, ['succeeded']);
  });
});
