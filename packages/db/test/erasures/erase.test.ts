import { orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptReplay,
  addSuppression,
  cancelReplayBatch,
  NOTHING_TO_DELIVER,
  readErasure,
  readUsage,
} from '../../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  createTestKeys,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { replayFor, WEBHOOK } from '../support.ts';
import { ADDRESS, actor, ask, fail, message, newId, replay, send, work } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const fixtureOf = () => createFixture(database.db, { channels: [WEBHOOK] });

/** Everything that the database holds, as text; bytes as hex. */
async function allText(): Promise<string> {
  const { db } = database;
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = current_schema()`;
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db.$queryRawUnsafe<{ text: string }[]>(`SELECT t::text AS text FROM ${name} AS t`),
    ),
  );
  return rows
    .flat()
    .map(({ text }) => text)
    .join('\n');
}

describe('the erasure of a recipient', () => {
  it('removes the address from the whole database, and keeps all counts', async () => {
    const fixture = await fixtureOf();
    const address = 'grace@example.com';
    const id = await send(database.db, fixture, address);
    await fail(database.db, id, address);
    // A business id may be an address.
    await database.db.messageKey.create({
      data: { environmentId: fixture.environmentId, messageId: id, name: '/customer', value: address },
    });
    const deps = { db: database.db, newId, actor };
    await cancelReplayBatch(deps, await replay(database.db, fixture, address));
    await replay(database.db, fixture, address);
    // With an operational channel, the suppression is reported.
    await database.db.channel.updateMany({
      where: { environmentId: fixture.environmentId },
      data: { operational: true },
    });
    const suppressed = { source: 'manual', reason: `Mail from ${address.toUpperCase()}.` } as const;
    const keys = await createTestKeys(database.db).get();
    const { environmentId } = fixture;
    await addSuppression({ ...deps, keys }, { environmentId, email: address, ...suppressed });
    const usage = await readUsage(database.db, fixture.tenantId);
    expect(await allText()).toContain(address);
    const erasure = await ask(database.db, fixture, address);
    expect(await work(database.db, erasure)).toEqual({ outcome: 'completed' });
    const left = await allText();
    expect(left).toContain(id);
    expect(left.toLowerCase()).not.toContain(address);
    expect(left).not.toContain(Buffer.from(address).toString('hex'));
    const erased = await message(database.db, id);
    expect(erased).toMatchObject({
      recipient: {},
      recipientEmail: null,
      payload: {},
      requestId: null,
      erasedAt: expect.any(Date),
    });
    expect(erased.runs).toMatchObject([
      { status: 'failed', lastErrorCode: 'webhook_http_error', attempts: [{ responseExcerpt: null }, {}] },
    ]);
    expect(await readUsage(database.db, fixture.tenantId)).toEqual(usage);
    expect(await readErasure(database.db, erasure.id)).toMatchObject({
      status: 'completed',
      recipientEmail: null,
      messagesErased: 1,
      runsCancelled: 0,
    });
  });

  it('changes no other recipient, no other environment and no later message', async () => {
    const [fixture, elsewhere] = [await fixtureOf(), await fixtureOf()];
    const others = [await send(database.db, fixture, 'bob@example.com'), await send(database.db, elsewhere)];
    const erasure = await ask(database.db, fixture);
    const later = await send(database.db, fixture);
    await database.db.$executeRaw`
      UPDATE messages SET created_at = created_at + interval '1 second' WHERE id = ${later}::uuid`;
    expect(await work(database.db, erasure)).toEqual({ outcome: 'completed' });
    for (const id of [...others, later])
      expect(await message(database.db, id)).toMatchObject({ erasedAt: null });
  });

  it('ends waiting runs with an attempt before it erases', async () => {
    const fixture = await fixtureOf();
    const far = await send(database.db, fixture, ADDRESS, new Date(Date.now() + 86_400_000));
    const queued = await send(database.db, fixture);
    const erasure = await ask(database.db, fixture);
    expect(await work(database.db, erasure)).toEqual({ outcome: 'completed' });
    const attempt = { status: 'cancelled', errorCode: 'scheduled_cancelled' };
    expect((await message(database.db, far)).runs).toMatchObject([
      { status: 'cancelled', attempts: [attempt] },
    ]);
    expect((await message(database.db, queued)).runs).toMatchObject([
      { status: 'failed', attempts: [attempt] },
    ]);
    expect(await readErasure(database.db, erasure.id)).toMatchObject({ runsCancelled: 2, messagesErased: 2 });
  });

  it('waits until an open attempt has ended', async () => {
    const fixture = await fixtureOf();
    const id = await send(database.db, fixture);
    await database.db.deliveryRun.updateMany({
      where: { messageId: id },
      data: { status: 'running', leaseUntil: new Date() },
    });
    const erasure = await ask(database.db, fixture);
    expect(await work(database.db, erasure)).toEqual({ outcome: 'advanced', messages: 0 });
    expect(await message(database.db, id)).toMatchObject({ recipientEmail: ADDRESS });
    await database.db.deliveryRun.updateMany({
      where: { messageId: id },
      data: { status: 'succeeded', leaseUntil: null, completedAt: new Date() },
    });
    expect(await work(database.db, erasure)).toEqual({ outcome: 'completed' });
    expect(await message(database.db, id)).toMatchObject({ recipientEmail: null });
  });

  it('is done once by concurrent workers, with any number of pages', async () => {
    const fixture = await fixtureOf();
    for (let sent = 0; sent < 210; sent += 1) await send(database.db, fixture);
    const erasure = await ask(database.db, fixture);
    for (;;) {
      const outcomes = await Promise.all([
        work(database.db, erasure),
        work(database.db, erasure),
        work(database.db, erasure),
      ]);
      if (outcomes.some(({ outcome }) => outcome === 'completed')) break;
    }
    expect(await readErasure(database.db, erasure.id)).toMatchObject({ messagesErased: 210 });
    expect(await work(database.db, erasure)).toEqual({ outcome: 'not_available' });
  });

  it("is audited when it is requested and when it is completed, with the address's hash", async () => {
    const fixture = await fixtureOf();
    const erasure = await ask(database.db, fixture);
    await work(database.db, erasure);
    const entries = await database.db.auditEntry.findMany({
      where: { environmentId: fixture.environmentId, resourceType: 'erasure' },
      orderBy: { id: 'asc' },
    });
    const after = { recipient_sha256: erasure.recipientSha256 };
    expect(entries).toMatchObject([
      { action: 'erasure.created', actor: 'op', after },
      { action: 'erasure.completed', actor: 'worker', after: { ...after, status: 'completed' } },
    ]);
  });

  it('prevents a replay of the message', async () => {
    const fixture = await fixtureOf();
    const messageId = await send(database.db, fixture);
    await work(database.db, await ask(database.db, fixture));
    const replayed = await orRefusal(() => acceptReplay(database.db, replayFor(fixture, messageId)));
    expect(replayed).toBe(NOTHING_TO_DELIVER);
  });
});
