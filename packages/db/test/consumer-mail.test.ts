import { createUuidV7Source, NEW_CONSUMER } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
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

/** How long a transaction of a test may take, in milliseconds. */
const PATIENT = { timeout: 90_000 };
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
    const workers = new Map<number, Promise<unknown>>();
    // A worker gives up after two seconds, which the other may need to begin: then it tries again.
    const start = (events: number) => {
      if (workers.has(events)) return;
      const ended = dispatchOperationalEvents({ db: database.db }, events).catch(() => undefined);
      workers.set(
        events,
        ended.finally(() => workers.delete(events)),
      );
    };
    // Both workers have counted, or wait to count, before either can store a mail.
    await database.db.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = '0'`;
      await tx.$executeRaw`LOCK TABLE messages IN SHARE ROW EXCLUSIVE MODE`;
      await waitFor('both workers to wait', async () => {
        const waiting = await database.db.$queryRaw<object[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        start(3);
        // A worker that begins earlier would take all events.
        if (waiting.length === 1) start(12);
        return waiting.length === 2;
      });
    }, PATIENT);
    await Promise.all(workers.values());
    while ((await dispatchOperationalEvents({ db: database.db }, 12)).hasMore);
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
