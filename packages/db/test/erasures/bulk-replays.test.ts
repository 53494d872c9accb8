import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { cancelReplayBatch, replayPage } from '../../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { batchNow, pageDeps } from '../replay-batches/support.ts';
import { WEBHOOK } from '../support.ts';
import { actor, ask, fail, message, newId, replay, send, work } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const fixtureOf = () => createFixture(database.db, { channels: [WEBHOOK] });
const filterOf = async (id: string) =>
  (await database.db.replayBatch.findUniqueOrThrow({ where: { id } })).filter;

async function isLockAwaited(): Promise<boolean> {
  const waiting = await database.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

describe('the erasure of a recipient with messages in bulk replays', () => {
  it('uses the same hash in the audit log', async () => {
    const fixture = await fixtureOf();
    const id = await replay(database.db, fixture);
    await cancelReplayBatch({ db: database.db, newId, actor }, id);
    const { recipientSha256 } = await ask(database.db, fixture);
    const filter = { recipient_sha256: recipientSha256, created_before: expect.any(String) };
    const entries = await database.db.auditEntry.findMany({
      where: { environmentId: fixture.environmentId, resourceType: 'replay_batch' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [null, expect.objectContaining({ filter })],
      [expect.objectContaining({ filter }), expect.objectContaining({ filter })],
    ]);
  });

  it('removes the address from an open one, which then completes', async () => {
    const fixture = await fixtureOf();
    await fail(database.db, await send(database.db, fixture));
    const id = await replay(database.db, fixture);
    expect(await work(database.db, await ask(database.db, fixture))).toEqual({ outcome: 'completed' });
    expect(await filterOf(id)).toMatchObject({ recipient_email: 'erased@example.invalid' });
    expect(await replayPage(pageDeps(database.db), { id })).toMatchObject({ outcome: 'advanced' });
    expect(await batchNow(database.db, id)).toMatchObject({ status: 'completed', replayed: 0 });
  });

  it('lets none be created with the address until it has ended, and finds one that was being created', async () => {
    const fixture = await fixtureOf();
    const id = await send(database.db, fixture);
    await fail(database.db, id);
    const early = await replay(database.db, fixture);
    const erasure = await ask(database.db, fixture);
    // As if its transaction had begun before the request and had been committed after it.
    await database.db.replayBatch.update({
      where: { id: early },
      data: { createdAt: new Date(erasure.createdAt.getTime() + 1_000) },
    });
    await cancelReplayBatch({ db: database.db, newId, actor }, early);
    await expect(replay(database.db, fixture, 'ada@EXAMPLE.com')).rejects.toThrow('is being erased');
    const other = await replay(database.db, fixture, 'bob@example.com');
    await cancelReplayBatch({ db: database.db, newId, actor }, other);
    await expect(replay(database.db, await fixtureOf())).resolves.toBeDefined();
    expect(await work(database.db, erasure)).toEqual({ outcome: 'completed' });
    expect(await filterOf(early)).toMatchObject({ recipient_email: 'erased@example.invalid' });
    expect(await filterOf(other)).toMatchObject({ recipient_email: 'bob@example.com' });
    await expect(replay(database.db, fixture)).resolves.toBeDefined();
  });

  it('does not deadlock with a page of the same messages', async () => {
    const fixture = await fixtureOf();
    const messageId = await send(database.db, fixture);
    await fail(database.db, messageId);
    const id = await replay(database.db, fixture);
    const erasure = await ask(database.db, fixture);
    let erased: ReturnType<typeof work> | undefined;
    await database.db.$transaction(async (page) => {
      await page.$queryRaw`SELECT FROM replay_batches WHERE id = ${id}::uuid FOR UPDATE`;
      erased = work(database.db, erasure);
      while (!(await isLockAwaited())) await new Promise(setImmediate);
      await page.message.update({
        where: { environmentId_id: { environmentId: fixture.environmentId, id: messageId } },
        data: { replayCount: 1 },
      });
    });
    expect(await erased).toEqual({ outcome: 'completed' });
    expect(await filterOf(id)).toMatchObject({ recipient_email: 'erased@example.invalid' });
    expect(await message(database.db, messageId)).toMatchObject({ recipientEmail: null, replayCount: 1 });
  });
});
