import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createIngest, isDatabaseUnreachable, openDatabase } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, WEBHOOK } from './support.ts';

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

describe('the counting of new runs', () => {
  it('reads only the messages of these runs, also with a plan made for an empty table', async () => {
    const { db } = database;
    await db.$executeRaw`ALTER TABLE messages SET (autovacuum_enabled = false)`;
    const own = openDatabase(database.url, { poolSize: 1 });
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const ingest = createIngest(own);
    const accept = async (events: number) => {
      await Promise.all(Array.from({ length: events }, () => ingest(eventFor(fixture))));
    };
    const messagesRead = async () => {
      await own.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
      const [{ read } = { read: 0n }] = await db.$queryRaw<{ read: bigint }[]>`
        SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0) AS read FROM pg_stat_user_tables WHERE relname = 'messages'`;
      return Number(read);
    };
    await accept(50);
    await db.$executeRaw`ANALYZE messages`;
    await accept(50);
    await db.$executeRaw`
      INSERT INTO messages SELECT (jsonb_populate_record(message, jsonb_build_object('id', gen_random_uuid()))).*
        FROM (SELECT messages FROM messages LIMIT 1) AS one (message), generate_series(1, 3000)`;

    const before = await messagesRead();
    await accept(50);
    const read = (await messagesRead()) - before;
    await own.$disconnect();
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(1_000);
  });
});
