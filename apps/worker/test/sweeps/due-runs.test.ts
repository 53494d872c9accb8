import { channelKinds } from '@postrider/channels';
import type { ChannelKind } from '@postrider/domain';
import type { Producer, RunToEnqueue } from '@postrider/queue';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { sweepDueRuns } from '../../src/sweeps/due-runs.ts';
import { mailChannel, mailTemplate, webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** Sweeps once with this many runs in waiting jobs, and returns the added runs. */
async function sweepWith(
  waiting: Record<ChannelKind, number | null>,
  deferred: readonly string[] = [],
  { db }: Harness = harness,
): Promise<readonly RunToEnqueue[]> {
  const added: RunToEnqueue[] = [];
  const producer: Pick<Producer, 'waiting' | 'enqueue'> = {
    waiting: async (kind) => [waiting[kind] ?? null],
    async enqueue(runs) {
      added.push(...runs);
      return { enqueued: runs.length, failed: 0 };
    },
  };
  await sweepDueRuns({
    db,
    kinds: channelKinds,
    producer: producer as Producer,
    deferredChannels: { defer: () => undefined, deferred: () => deferred },
    sampleQueue: async () => undefined,
  });
  return added;
}

describe('the sweep of due runs', () => {
  it('adds only the oldest run to a full queue, nothing without Redis, and continues with the other kind', async () => {
    const fixture = await harness.fixture({
      channels: [webhookChannel('http://127.0.0.1:9/'), mailChannel({ port: 9 })],
      templates: [mailTemplate()],
    });
    await Promise.all([1, 2, 3].map(() => harness.accept(fixture, { enqueue: false })));
    await harness.db.$executeRaw`UPDATE delivery_runs SET due_at = due_at - interval '10 seconds'`;
    const kinds = async (waiting: Record<ChannelKind, number | null>) =>
      (await sweepWith(waiting)).map(({ channelKind }) => channelKind).sort();
    expect(await kinds({ email: 5_000, webhook: 0 })).toEqual(['email', 'webhook', 'webhook', 'webhook']);
    expect(await kinds({ email: 4_999, webhook: null })).toEqual(['email']);
    expect(await kinds({ email: 5_000, webhook: 5_001 })).toEqual(['email', 'webhook']);
    expect(await kinds({ email: null, webhook: null })).toEqual([]);
  });

  it('searches once for all kinds', async () => {
    let searches = 0;
    const db = new Proxy(harness.db, {
      get(target, name, receiver) {
        if (name === '$queryRaw') searches += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    await sweepWith({ email: 0, webhook: 0, kafka: 0 }, [], { ...harness, db });
    expect(searches).toBe(1);
  });

  it('gives the last place of a queue to a run that can start, not to an older one of a deferred channel', async () => {
    const isolated = await startHarness();
    try {
      const deferred = await isolated.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
      const other = await isolated.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
      await isolated.accept(deferred, { enqueue: false });
      const expected = await isolated.accept(other, { enqueue: false });
      await isolated.db.$executeRaw`UPDATE delivery_runs SET due_at = due_at - interval '10 seconds'`;
      const added = await sweepWith(
        { email: 0, webhook: 4_999 },
        deferred.channels.map(({ id }) => id),
        isolated,
      );
      expect(added.map(({ runId }) => runId)).toEqual(expected.runIds);
    } finally {
      await isolated.close();
    }
  });
});
