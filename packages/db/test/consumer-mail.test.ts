import { createUuidV7Source, NEW_CONSUMER } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  deleteConsumer,
  dispatchOperationalEvents,
  emitOperational,
  inTransaction,
  putConsumer,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createTestDatabase,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { EMAIL } from './feedback/support.ts';
import { WEBHOOK } from './support.ts';

const newId = createUuidV7Source();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An environment that writes to the contacts of its consumers. */
async function mailing() {
  const { db } = database;
  const deps = { db, newId, actor: actorNamed('test'), kinds: testKinds };
  const mails = { ...EMAIL, name: 'mails', eventKeys: ['channel.*'], operational: true };
  const { environmentId } = await createFixture(db, { channels: [mails] });
  const consumer = (id: string, contactEmail: string) =>
    putConsumer(deps, { environmentId, id }, { ...NEW_CONSUMER, contactEmail });
  async function channelOf(consumerId: string): Promise<string> {
    const id = newId();
    const { config } = WEBHOOK;
    const retry = { max_attempts: 8 };
    await db.channel.create({
      data: { id, environmentId, consumerId, kind: 'webhook', name: 'hook', config, retry },
    });
    return id;
  }
  /** Reports that a channel was paused, `times` times. */
  const pause = (consumer: string, channelId: string, times = 1) =>
    inTransaction({ db }, (tx) =>
      emitOperational(
        tx,
        ...Array.from({ length: times }, (_, nth) => ({
          environmentId,
          type: 'channel.paused' as const,
          payload: { channel_id: channelId, name: 'hook', kind: 'webhook', consumer, reason: 'failing' },
          dedupeKey: `channel/${channelId}/${nth}`,
        })),
      ),
    );
  const remove = (id: string) => deleteConsumer(deps, { environmentId, id });
  const mailed = async () =>
    (await db.message.findMany({ where: { environmentId } })).map(({ recipientEmail }) => recipientEmail);
  return { consumer, channelOf, pause, remove, mailed };
}

describe('mail to the contacts of consumers', () => {
  it('is at most four in an hour for an address, with any number of workers and consumers', async () => {
    const { consumer, channelOf, pause, mailed } = await mailing();
    for (const id of ['one', 'two']) {
      await consumer(id, 'Victim@Example.com');
      await pause(id, await channelOf(id), 6);
    }
    const dispatch = () => dispatchOperationalEvents({ db: database.db }, 3);
    await Promise.all([dispatch(), dispatch(), dispatch(), dispatch()]);
    while ((await dispatch()).hasMore);
    expect(await mailed()).toEqual(Array(4).fill('Victim@example.com'));
  });

  it('does not tell a consumer about the channel of a deleted one with its id', async () => {
    const { consumer, channelOf, pause, remove, mailed } = await mailing();
    await consumer('org_1', 'old@example.com');
    await pause('org_1', await channelOf('org_1'));
    await remove('org_1');
    await consumer('org_1', 'new@example.com');
    await pause('org_1', await channelOf('org_1'));
    while ((await dispatchOperationalEvents({ db: database.db }, 10)).hasMore);
    expect(await mailed()).toEqual(['new@example.com']);
  });
});
