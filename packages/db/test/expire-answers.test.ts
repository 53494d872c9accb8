import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { createIngest, deleteExpiredAnswers } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Stores answers; the given number of them is more than 24 hours old. */
async function storeAnswers({ fresh, expired }: { fresh: number; expired: number }): Promise<void> {
  const { db } = database;
  const fixture = await createFixture(db, { channels: [WEBHOOK] });
  const ingest = createIngest(db);
  await Promise.all(Array.from({ length: expired }, () => ingest(eventFor(fixture))));
  await db.$executeRaw`
    UPDATE idempotency_records
       SET created_at = created_at - interval '24 hours', expires_at = expires_at - interval '24 hours'`;
  await Promise.all(Array.from({ length: fresh }, () => ingest(eventFor(fixture))));
}

describe('stored answers', () => {
  it('are removed after 24 hours, without their messages', async () => {
    const { db } = database;
    await storeAnswers({ fresh: 2, expired: 3 });
    expect(await deleteExpiredAnswers(db, 10)).toBe(3);
    expect(await deleteExpiredAnswers(db, 10)).toBe(0);
    expect(await db.idempotencyRecord.count()).toBe(2);
    expect(await db.message.count()).toBe(5);
  });

  it('are removed once by concurrent sweeps, within the limit of a call', async () => {
    await storeAnswers({ fresh: 0, expired: 6 });
    const removed = await Promise.all(Array.from({ length: 4 }, () => deleteExpiredAnswers(database.db, 2)));
    expect(Math.max(...removed)).toBeLessThanOrEqual(2);
    const rest = await deleteExpiredAnswers(database.db, 10);
    expect(removed.reduce((sum, count) => sum + count, rest)).toBe(6);
  });
});
