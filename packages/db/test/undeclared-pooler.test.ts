import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Database, findSessionWarning, isDatabaseUnreachable, openDatabase } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

const opened: Database[] = [];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const db of opened) await db.$disconnect();
  await database.drop();
});

/** A client with one connection. */
function openOne(): Database {
  const db = openDatabase(database.url, { poolSize: 1 });
  opened.push(db);
  return db;
}

const read = (db: Database) => db.tenantUsage.findMany({ select: { eventsUsed: true } });
const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);
const preparedIn = (db: Database) =>
  db.$queryRaw<{ name: string; statement: string }[]>`SELECT name, statement FROM pg_prepared_statements`;

/** Under which name the client's session has the statement of `read`. */
async function nameOfRead(db: Database): Promise<string> {
  const found = (await preparedIn(db)).find(({ statement }) => statement.includes('"events_used"'));
  if (!found) throw new Error('the statement is not prepared');
  return found.name;
}

describe('a pooler in transaction mode that DATABASE_URL does not declare', () => {
  it('fails one statement as an outage if the session does not know it', async () => {
    const db = openOne();
    await read(db);
    // In one transaction, and so on one connection: what another session would look like to it.
    const lost = db.$transaction(async (tx) => {
      await tx.tenantUsage.findMany({ select: { eventsUsed: true } });
      await tx.$executeRawUnsafe('DEALLOCATE ALL');
      await tx.tenantUsage.findMany({ select: { eventsUsed: true } });
    });
    expect(isDatabaseUnreachable(await failureOf(lost))).toBe(true);
    expect(await read(db)).toEqual([]);
    expect(await preparedIn(db)).toEqual([]);
  });

  it('fails one statement as an outage if the session has another one with its name', async () => {
    const other = openOne();
    await read(other);
    const db = openOne();
    await db.$executeRawUnsafe(`PREPARE "${await nameOfRead(other)}" AS SELECT 1`);
    expect(isDatabaseUnreachable(await failureOf(read(db)))).toBe(true);
    expect(await read(db)).toEqual([]);
  });

  it('never executes another statement: each name has one text in all processes', async () => {
    const [one, other] = [openOne(), openOne()];
    await read(one);
    await other.$queryRaw`SELECT 1 AS first`;
    await read(other);
    expect(await nameOfRead(other)).toBe(await nameOfRead(one));
  });

  it('is reported to operators', async () => {
    const refused = Object.assign(new Error('prepared statement does not exist'), { code: '26000' });
    const lending = { $queryRaw: () => Promise.reject(refused) } as unknown as Database;
    expect(await findSessionWarning(lending)).toContain('add pgbouncer=true');
    const ignoring = { $queryRaw: async () => [{ name: 'TimeZone', holds: false }] } as unknown as Database;
    expect(await findSessionWarning(ignoring)).toContain('add pgbouncer=true');
  });
});
