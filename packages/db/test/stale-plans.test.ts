import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { isDatabaseUnreachable, openDatabase } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("a migration that changes a column's type under prepared statements", () => {
  it.each([
    ['alone', false],
    ['in a transaction', true],
  ])('fails a statement %s once, as an outage', async (_, inTransaction) => {
    const db = openDatabase(database.url, { poolSize: 1 });
    const read = () =>
      inTransaction
        ? db.$transaction((tx) => tx.tenantUsage.findMany({ select: { eventsUsed: true } }))
        : db.tenantUsage.findMany({ select: { eventsUsed: true } });
    await read();
    await database.db.$executeRaw`ALTER TABLE tenant_usage ALTER COLUMN events_used TYPE numeric`;
    const first = await read().catch((error: unknown) => error);
    const second = await read();
    await database.db.$executeRaw`ALTER TABLE tenant_usage ALTER COLUMN events_used TYPE bigint`;
    await db.$disconnect();
    expect(isDatabaseUnreachable(first)).toBe(true);
    expect(second).toEqual([]);
  });
});
