import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { openDatabase, replayPage } from '../../src/index.ts';
import { asOwner, createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { WEBHOOK } from '../support.ts';
import { acceptMany, batchNow, createBatch, pageDeps, replaysOf } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a message that is removed or erased during a page of a bulk replay', () => {
  it('is skipped, and counted if it was erased; the others are replayed', async () => {
    const { db } = database;
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const [newest, erased, removed, oldest] = await acceptMany(db, fixture, 4);
    const batch = await createBatch(db, fixture);
    const remover = new Client({ connectionString: database.url });
    await remover.connect();
    await remover.query('BEGIN');
    await remover.query('DELETE FROM messages WHERE id = $1', [removed]);
    await remover.query('UPDATE messages SET erased_at = now() WHERE id = $1', [erased]);

    const worker = openDatabase(database.url, { poolSize: 1 });
    const [{ pid } = { pid: 0 }] = await worker.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const page = replayPage(pageDeps(asOwner(worker)), batch);
    for (let waits = false; !waits; ) {
      const locks = await db.$queryRaw<
        unknown[]
      >`SELECT 1 FROM pg_locks WHERE pid = ${pid}::int AND NOT granted`;
      waits = locks.length > 0;
    }
    await remover.query('COMMIT');
    await remover.end();

    expect(await page).toMatchObject({ outcome: 'advanced' });
    await worker.$disconnect();
    expect(await batchNow(db, batch.id)).toMatchObject({
      status: 'completed',
      reason: null,
      failures: 0,
      replayed: 2,
      skipped: { message_erased: 1 },
    });
    expect([...(await replaysOf(db, fixture)).keys()].sort()).toEqual([newest, oldest].sort());
  });
});
