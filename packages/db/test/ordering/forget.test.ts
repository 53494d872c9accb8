import { describe, expect, it } from '@postrider/testing';
import {
  createErasure,
  createIngest,
  endRunsOfDeletedChannels,
  erasePage,
  forgetIdleKeys,
  markEndedChannels,
} from '../../src/index.ts';
import { KEY_IDLE_DAYS } from '../../src/ordering/forget.ts';
import { createTestKeys } from '../../src/testing/index.ts';
import { accepted } from '../support.ts';
import { orderedEvent, type Scene, useOrdering } from './support.ts';

const { newId, db, deps, scene, runsOf, attempt, settle } = useOrdering();

/** Makes a channel's keys look unused for long enough to be forgotten. */
const age = ({ channelId }: Scene, ...keys: string[]) =>
  db().$executeRaw`
    UPDATE ordering_keys SET used_at = now() - make_interval(days => ${KEY_IDLE_DAYS}::int, secs => 1)
     WHERE channel_id = ${channelId}::uuid AND key = ANY(${keys})`;

/** Removes the messages of a key with their runs, as retention does. */
const removeMessages = async (here: Scene, key: string) =>
  db().message.deleteMany({
    where: { id: { in: (await runsOf(here, key)).map(({ messageId }) => messageId) } },
  });

const keysOf = async ({ channelId }: Scene) =>
  (await db().orderingKey.findMany({ where: { channelId }, orderBy: { key: 'asc' } })).map(({ key }) => key);

/** Looks at all keys of the database, `limit` at a time. */
async function forgetAll(limit = 1_000): Promise<number> {
  let total = 0;
  for (let after: Parameters<typeof forgetIdleKeys>[1]['after'] = null; ; ) {
    const { forgotten, next } = await forgetIdleKeys(db(), { after, limit });
    total += forgotten;
    if (next === null) return total;
    after = next;
  }
}

describe('an unused ordering key', () => {
  it('is removed when it is idle, not blocked and without a run, and starts again at 1', async () => {
    const here = await scene();
    const ingest = createIngest(db());
    for (const key of ['blocked', 'fresh', 'gone', 'kept']) {
      await ingest(orderedEvent(here, key));
      const [run] = await runsOf(here, key);
      await attempt(run?.id ?? '', key === 'blocked' ? 'failed' : 'succeeded');
    }
    await settle();
    await removeMessages(here, 'blocked');
    await removeMessages(here, 'fresh');
    await removeMessages(here, 'gone');
    await age(here, 'blocked', 'gone', 'kept');
    await forgetAll(1);
    expect(await keysOf(here)).toEqual(['blocked', 'fresh', 'kept']);
    for (const key of ['fresh', 'gone', 'kept']) accepted(await ingest(orderedEvent(here, key)));
    const newest = async (key: string) => Number((await runsOf(here, key)).at(-1)?.sequence);
    expect(await Promise.all(['fresh', 'gone', 'kept'].map(newest))).toEqual([2, 1, 2]);
  });

  it('stays while an event of it is being accepted, so that sequences have no gaps or duplicates', async () => {
    const here = await scene();
    await createIngest(db())(orderedEvent(here, 'k'));
    await removeMessages(here, 'k');
    await age(here, 'k');
    await db().$transaction(async (tx) => {
      await tx.$executeRaw`
        UPDATE ordering_keys SET last_sequence = last_sequence + 1, used_at = now()
         WHERE channel_id = ${here.channelId}::uuid`;
      await forgetAll();
    });
    await forgetAll();
    expect(await keysOf(here)).toEqual(['k']);

    const ingests = [1, 2].map(() => createIngest(db(), { maxItems: 3 }));
    const keys = ['a', 'b', 'c'];
    let isAccepting = true;
    const forgetting = (async () => {
      while (isAccepting) {
        await age(here, ...keys);
        await forgetAll(2);
      }
    })();
    await Promise.all(
      Array.from({ length: 120 }, (_none, n) => ingests[n % 2]?.(orderedEvent(here, keys[n % 3] ?? ''))),
    );
    isAccepting = false;
    await forgetting;
    for (const key of keys) {
      const places = (await runsOf(here, key)).map(({ sequence }) => Number(sequence));
      expect(places).toEqual(Array.from({ length: 40 }, (_none, index) => index + 1));
    }
  });

  it('is removed with a deleted channel without open runs', async () => {
    const here = await scene();
    const ingest = createIngest(db());
    for (let n = 0; n < 2; n += 1) await ingest(orderedEvent(here, 'k'));
    const [first] = await runsOf(here);
    await attempt(first?.id ?? '', 'failed');
    await settle();
    await db().channel.update({
      where: { id: here.channelId },
      data: { deletedAt: new Date(Date.now() - 3_600_000) },
    });
    await forgetAll();
    expect(await keysOf(here)).toEqual(['k']);
    await endRunsOfDeletedChannels({ db: db(), newId }, 10);
    await markEndedChannels(db(), 10);
    await forgetAll();
    expect(await keysOf(here)).toEqual([]);
  });
});

describe('the erasure of a recipient', () => {
  it('releases the next run of a key instead of blocking it', async () => {
    const here = await scene();
    const { environmentId } = here.fixture;
    const ingest = createIngest(db());
    const erased = { recipient: { email: 'ada@example.com' } };
    await ingest(orderedEvent(here, 'k', erased));
    await ingest(orderedEvent(here, 'k', { recipient: { email: 'grace@example.com' } }));
    const [, second] = await runsOf(here);
    const erasure = await createErasure(deps(), {
      environmentId,
      recipientEmail: 'ada@example.com',
    });
    await erasePage({ db: db(), newId, keys: createTestKeys(db()), lateMessagesSeconds: 0 }, erasure);
    expect(await settle()).toEqual([second?.id]);
    expect(await db().orderingKey.findFirst({ where: { channelId: here.channelId } })).toMatchObject({
      blockedAt: null,
      turn: 2n,
    });
  });
});
