import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createErasure, createIngest, erasePage, findByLookup, listMessages } from '../../src/index.ts';
import {
  actorNamed,
  createFixture,
  createTestDatabase,
  createTestKeys,
  type Fixture,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { createBatch } from '../replay-batches/support.ts';
import { accepted, eventFor, WEBHOOK } from '../support.ts';

const newId = createUuidV7Source();
const actor = actorNamed('op');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function send(fixture: Fixture, email: string): Promise<string> {
  return accepted(await createIngest(database.db)(eventFor(fixture, { recipient: { email } }))).messageId;
}

/** A message whose address is stored as an earlier release did: as it was sent. */
async function sendBefore(fixture: Fixture, email: string): Promise<string> {
  const id = await send(fixture, email);
  await database.db.message.updateMany({ where: { id }, data: { recipientEmail: email } });
  return id;
}

async function find({ environmentId }: Fixture, recipientEmail: string, limit = 10): Promise<string[]> {
  const page = { environmentId, filter: { recipientEmail }, after: null, limit };
  return (await listMessages(database.db, page)).rows.map(({ id }) => id);
}

/** A message for each spelling, oldest first. */
const sendAll = async (fixture: Fixture) => [
  await send(fixture, 'Ada@example.com'),
  await sendBefore(fixture, 'Ada@Example.com'),
  await send(fixture, 'Ada@EXAMPLE.com'),
  await sendBefore(fixture, 'Ada@EXAMPLE.com'),
  await send(fixture, 'ada@example.com'),
  await sendBefore(fixture, 'ada@Example.com'),
];

const fixtureOf = () => createFixture(database.db, { channels: [WEBHOOK] });

describe('another case of an address', () => {
  it('is the same address in a search, newest first', async () => {
    const fixture = await fixtureOf();
    const same = await sendAll(fixture);
    await send(fixture, 'xada@example.com');
    for (const address of ['Ada@example.com', 'ada@example.com', 'aDA@EXAMPLE.COM']) {
      expect(await find(fixture, address)).toEqual(same.toReversed());
    }
    expect(await find(fixture, 'Ada@example.com', 2)).toEqual(same.slice(4).toReversed());
  });

  it('is the same address in a look-up by a person', async () => {
    const fixture = await fixtureOf();
    const id = await send(fixture, 'Grace.Hopper@example.com');
    for (const text of ['Grace.Hopper@example.com', 'grace.hopper@example.com']) {
      const { results } = await findByLookup(database.db, { type: 'recipient', text });
      expect(results.map(({ messageId }) => messageId)).toEqual([id]);
    }
  });

  it('is the same address in a bulk replay', async () => {
    const fixture = await fixtureOf();
    const same = await sendAll(fixture);
    const batch = await createBatch(database.db, fixture, { filter: { recipientEmail: 'Ada@eXample.com' } });
    expect(batch).toMatchObject({ matched: same.length });
  });

  it('is the same address in an erasure, with the same hash', async () => {
    const { db } = database;
    const fixture = await fixtureOf();
    const { environmentId } = fixture;
    const same = await sendAll(fixture);
    const [bob, suffixed] = [await send(fixture, 'bob@example.com'), await send(fixture, 'xada@example.com')];
    const { id } = await createBatch(db, fixture, { filter: { recipientEmail: 'Ada@Example.com' } });
    const deps = { db, newId, actor };
    const input = { environmentId };
    const erasure = await createErasure(deps, { ...input, recipientEmail: 'aDA@eXAMPLE.com' });
    expect(await erasePage({ db, newId, keys: createTestKeys(db), lateMessagesSeconds: 0 }, erasure)).toEqual(
      { outcome: 'completed' },
    );
    const rows = await db.message.findMany({ where: { environmentId, erasedAt: null } });
    expect(rows.map((row) => row.id).sort()).toEqual([bob, suffixed]);
    const messagesErased = same.length;
    expect(await db.erasure.findUnique({ where: { id: erasure.id } })).toMatchObject({ messagesErased });
    expect((await db.replayBatch.findUnique({ where: { id } }))?.filter).toMatchObject({
      recipient_email: 'erased@example.invalid',
    });
    const other = await createErasure(deps, { ...input, recipientEmail: 'Ada@example.com' });
    expect(other.recipientSha256).toBe(erasure.recipientSha256);
  });

  it('is erased although a worker of the previous release, which finds only one case, wants to complete it', async () => {
    const { db } = database;
    const fixture = await fixtureOf();
    const { environmentId } = fixture;
    const messageId = await send(fixture, 'ada@example.com');
    const input = { environmentId, recipientEmail: 'Ada@example.com' };
    const { id } = await createErasure({ db, newId, actor }, input);
    const completeAsBefore = db.$executeRaw`
      UPDATE erasures SET status = 'completed', recipient_email = NULL, completed_at = now() WHERE id = ${id}::uuid`;
    await expect(completeAsBefore).rejects.toThrow('erasures_any_case_while_open');
    const page = erasePage({ db, newId, keys: createTestKeys(db), lateMessagesSeconds: 0 }, { id });
    expect(await page).toEqual({ outcome: 'completed' });
    const { erasedAt } = await db.message.findFirstOrThrow({ where: { id: messageId } });
    expect(erasedAt).not.toBeNull();
  });

  it('is kept unchanged in the recipient', async () => {
    const fixture = await fixtureOf();
    const id = await send(fixture, 'ada@Example.com');
    expect(await database.db.message.findFirst({ where: { id } })).toMatchObject({
      recipient: { email: 'ada@Example.com' },
      recipientEmail: 'ada@example.com',
    });
  });
});
