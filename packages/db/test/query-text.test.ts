import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type AnyClient, Prisma } from '../src/client.ts';
import { type Database, openDatabase } from '../src/index.ts';
import { queryText } from '../src/statement.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 2 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const queryRows = <Row>(client: AnyClient, { text, values }: Prisma.Sql) =>
  queryText<Row>(client, text, values);

describe('a statement that bypasses Prisma', () => {
  it('returns the same rows as Prisma', async () => {
    const at = new Date('2026-11-22T10:11:12.345Z');
    const statement = Prisma.sql`
      SELECT ${at}::timestamptz AS at, timestamptz '2026-11-22 10:11:12' AS whole, timestamptz '0044-03-15' AS old,
             date_trunc('day', ${at}::timestamptz) AS day, ${9_007_199_254_740_993n}::int8 AS big, 7::int2 AS small,
             ${'ü "quoted" \\'}::text AS text, ${['a', null, 'b,"c"']}::text[] AS texts, ${[1, null]}::int[] AS numbers,
             ${[true, null]}::bool[] AS flags, ${null}::text AS nothing, true AS flag, 1.5::float8 AS float,
             ${'{"a": [1, null, "b"]}'}::jsonb AS document, ${'[]'}::json AS list,
             ${['00000000-0000-7000-8000-000000000001']}::uuid[] AS ids`;
    expect(await queryRows(db, statement)).toEqual(await db.$queryRaw(statement));
  });

  it('returns bytes unchanged', async () => {
    const bytes = new Uint8Array([0, 92, 255]);
    const [row] = await queryRows<{ bytes: Uint8Array }>(db, Prisma.sql`SELECT ${bytes}::bytea AS bytes`);
    expect([...(row?.bytes ?? [])]).toEqual([...bytes]);
  });

  it('is part of its transaction', async () => {
    const rolledBack = db.$transaction(async (tx) => {
      await queryRows(tx, Prisma.sql`INSERT INTO plans (code, name) VALUES ('within', 'a')`);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await queryRows(db, Prisma.sql`SELECT 1 FROM plans WHERE code = 'within'`)).toEqual([]);
  });

  it('is rejected with the code, without values of the row', async () => {
    const statement = Prisma.sql`INSERT INTO plans (code, name) VALUES (${'secret value'}, NULL)`;
    const error = await queryRows(db, statement).catch((rejected: unknown) => rejected);
    expect(error).toMatchObject({ name: 'StatementError', code: '23502' });
    expect(JSON.stringify({ ...(error as object), message: (error as Error).message })).not.toContain(
      'secret value',
    );
  });

  it('can be repeated after its connection was closed', async () => {
    const own = openDatabase(database.url, { poolSize: 1 });
    const [before] = await queryRows<{ pid: number }>(own, Prisma.sql`SELECT pg_backend_pid() AS pid`);
    await db.$queryRaw`SELECT pg_terminate_backend(${before?.pid}::int)`;
    await expect(
      queryRows(own, Prisma.sql`SELECT 1 AS one`).catch(() => queryRows(own, Prisma.sql`SELECT 1 AS one`)),
    ).resolves.toEqual([{ one: 1 }]);
    await own.$disconnect();
    await expect(queryRows(own, Prisma.sql`SELECT 1`)).rejects.toThrow();
  });
});
