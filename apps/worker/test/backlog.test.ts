import { readBacklog } from '@postrider/db';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([startHarness({ fastSweeps: ['stats'] }), startReceiver()]);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

async function webhooks() {
  const backlog = (await readBacklog(harness.db)).find(({ kind }) => kind === 'webhook');
  if (!backlog) throw new Error('there is no backlog of webhooks');
  return backlog;
}

describe('the backlog', () => {
  it('grows and ages while no worker runs, and is gone after one has delivered it', async () => {
    const url = receiver.endpoint('/hook', status(200));
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const worked = await harness.startWorker();
    await harness.accept(fixture);
    await harness.drained(fixture);
    expect(await webhooks()).toMatchObject({ dueRuns: 0, ageSeconds: 0 });

    await worked.stop(5_000);
    for (let events = 0; events < 3; events += 1) await harness.accept(fixture);
    const young = await webhooks();
    expect(young.dueRuns).toBe(3);
    await waitFor('the oldest to age', async () => (await webhooks()).ageSeconds > young.ageSeconds);

    await harness.startWorker();
    await harness.drained(fixture);
    expect(await webhooks()).toMatchObject({ dueRuns: 0, ageSeconds: 0 });
    expect(receiver.received('/hook')).toHaveLength(4);
  });
});
