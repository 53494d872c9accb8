import { formatId, NEW_CONSUMER } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  cancelReplayBatch,
  createErasure,
  createIngest,
  deleteConsumer,
  inTransaction,
  putConsumer,
  readErasure,
  suppress,
} from '../../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  createTestKeys,
  type Fixture,
  type TestDatabase,
  testKinds,
} from '../../src/testing/index.ts';
import { createBatch } from '../replay-batches/support.ts';
import { accepted, eventFor, WEBHOOK } from '../support.ts';
import { actor, message, newId, work } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const deps = () => ({ db: database.db, newId, actor, kinds: testKinds });

/** An environment with the consumers `one` and `other`. */
async function fixtureOf(): Promise<Fixture> {
  const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  const { environmentId } = fixture;
  for (const id of ['one', 'other']) await putConsumer(deps(), { environmentId, id }, NEW_CONSUMER);
  return fixture;
}
const send = async (fixture: Fixture, consumerId: string | null) =>
  accepted(await createIngest(database.db)(eventFor(fixture, { consumerId }))).messageId;
const ask = ({ environmentId }: Fixture, consumerId: string) =>
  createErasure(deps(), { environmentId, consumerId });

describe('the erasure of a consumer', () => {
  it('erases its messages, also after its deletion, and no other ones', async () => {
    const [fixture, elsewhere] = [await fixtureOf(), await fixtureOf()];
    const own = [await send(fixture, 'one'), await send(fixture, 'one')];
    const others = [await send(fixture, 'other'), await send(fixture, null), await send(elsewhere, 'one')];
    await deleteConsumer(deps(), { environmentId: fixture.environmentId, id: 'one' });
    const erasure = await ask(fixture, 'one');
    expect(await work(database.db, erasure)).toEqual({ outcome: 'completed' });
    for (const id of own)
      expect(await message(database.db, id)).toMatchObject({ recipient: {}, payload: {}, consumerId: 'one' });
    for (const id of others) expect((await message(database.db, id)).erasedAt).toBeNull();
    expect(await readErasure(database.db, erasure.id)).toMatchObject({
      ...{ status: 'completed', messagesErased: 2, runsCancelled: 2, consumerId: null },
    });
    const [audited] = await database.db.auditEntry.findMany({
      where: { resourceId: formatId('era', erasure.id) },
    });
    expect(audited?.after).toMatchObject({ recipient_sha256: erasure.recipientSha256 });
  });

  it('can be repeated for later messages, and finds each once', async () => {
    const fixture = await fixtureOf();
    await send(fixture, 'one');
    expect(await work(database.db, await ask(fixture, 'one'))).toEqual({ outcome: 'completed' });
    await send(fixture, 'one');
    const again = await ask(fixture, 'one');
    expect(await work(database.db, again)).toEqual({ outcome: 'completed' });
    expect(await readErasure(database.db, again.id)).toMatchObject({ messagesErased: 1 });
  });

  it('begins each page where the last ended, and returns to messages that it had to leave', async () => {
    const { db } = database;
    const fixture = await fixtureOf();
    const { environmentId } = fixture;
    const ids: string[] = [];
    for (let sent = 0; sent < 450; sent += 50)
      ids.push(...(await Promise.all(Array.from({ length: 50 }, () => send(fixture, 'one')))));
    ids.sort();
    const [blocked = '', ...others] = ids;
    await db.deliveryRun.updateMany({
      where: { messageId: blocked },
      data: { status: 'running', leaseUntil: new Date(Date.now() + 60_000) },
    });
    const erasure = await ask(fixture, 'one');
    const positionNow = async () =>
      (await db.erasure.findUniqueOrThrow({ where: { id: erasure.id } })).position;
    expect(await work(db, erasure)).toEqual({ outcome: 'advanced', messages: 199 });
    expect(await positionNow()).toBe(ids[199]);
    // A message before the position is not read again until the next pass.
    await db.message.updateMany({ where: { environmentId, id: ids[1] ?? '' }, data: { erasedAt: null } });
    expect(await work(db, erasure)).toEqual({ outcome: 'advanced', messages: 200 });
    expect(await positionNow()).toBe(ids[399]);
    expect(await work(db, erasure)).toEqual({ outcome: 'advanced', messages: 50 });
    expect(await positionNow()).toBe(blocked);
    expect(await work(db, erasure)).toEqual({ outcome: 'advanced', messages: 1 });
    await db.deliveryRun.updateMany({
      where: { messageId: blocked },
      data: { status: 'succeeded', completedAt: new Date(), leaseUntil: null },
    });
    expect(await work(db, erasure)).toEqual({ outcome: 'completed' });
    for (const id of [blocked, others.at(0) ?? '', others.at(-1) ?? ''])
      expect(await message(db, id)).toMatchObject({ recipient: {}, payload: {} });
    expect(await db.message.count({ where: { environmentId, erasedAt: null } })).toBe(0);
  });

  it('leaves the suppression list and the bulk replays of others alone', async () => {
    const { db } = database;
    const fixture = await fixtureOf();
    const { environmentId } = fixture;
    const email = 'ada@example.com';
    const recipient = { email };
    await createIngest(db)(eventFor(fixture, { consumerId: 'one', recipient }));
    const keys = await createTestKeys(db).get();
    await inTransaction({ db }, (tx) =>
      suppress(tx, { newId, keys }, { environmentId, email, source: 'manual', reason: email }),
    );
    const batches = [];
    for (const filter of [{}, { consumer: 'other' }, { consumer: 'one' }]) {
      const { id } = await createBatch(db, fixture, { filter: { recipientEmail: email, ...filter } });
      await cancelReplayBatch(deps(), id);
      batches.push(id);
    }
    expect(await work(db, await ask(fixture, 'one'))).toEqual({ outcome: 'completed' });
    const filters = await Promise.all(
      batches.map((id) => db.replayBatch.findUniqueOrThrow({ where: { id } })),
    );
    expect(filters.map(({ filter }) => (filter as { recipient_email: string }).recipient_email)).toEqual([
      email,
      email,
      'erased@example.invalid',
    ]);
    const [suppressed] = await db.suppression.findMany({ where: { environmentId } });
    expect(suppressed).toMatchObject({ sealedAddress: expect.any(String), reason: email });
  });

  it('cannot be completed by a worker of the release before, which does not know consumers', async () => {
    const { id } = await ask(await fixtureOf(), 'one');
    const completed = {
      status: 'completed',
      recipientEmail: null,
      recipientId: null,
      completedAt: new Date(),
    };
    await expect(database.db.erasure.update({ where: { id }, data: completed })).rejects.toThrow(
      /erasures_recipient_while_open/,
    );
  });
});
