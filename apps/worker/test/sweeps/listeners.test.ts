import { formatId, parseId } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Harness, startHarness } from '../support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ fastSweeps: ['listeners'] });
});
afterAll(() => harness.close());

describe('the sweep of listeners', () => {
  it('deletes channels to which nobody has listened for five minutes, and no others', async () => {
    const { db } = harness;
    const webhook = (name: string, url: string) =>
      ({ kind: 'webhook', name, config: { url }, maxInFlight: 4 }) as const;
    const { channels } = await harness.fixture({
      channels: [
        webhook('gone', 'listen://laptop'),
        webhook('there', 'listen://desk'),
        webhook('receiver', 'https://example.com/listen://'),
      ],
    });
    const ids = channels.map(({ id }) => id);
    await db.$executeRaw`
      UPDATE channels SET updated_at = now() - interval '301 seconds'
       WHERE id = ANY (${[ids[0], ids[2]]}::uuid[])`;
    await harness.startWorker();
    const find = (id: string | undefined) => db.channel.findFirstOrThrow({ where: { id: id ?? '' } });
    await waitFor('the deletion', async () => (await find(ids[0])).deletedAt !== null);
    expect([(await find(ids[1])).deletedAt, (await find(ids[2])).deletedAt]).toEqual([null, null]);
    const entry = await db.auditEntry.findFirst({ where: { action: 'channel.deleted' } });
    expect(entry).toMatchObject({ actor: 'worker', resourceId: formatId('chn', ids[0] ?? '') });
    expect(parseId('chn', entry?.resourceId ?? '')).toBe(ids[0]);
  });
});
