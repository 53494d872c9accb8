import { startTcpProxy, type TcpProxy } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Database, openDatabase } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { translateSeverities } from './support.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url, { alter: translateSeverities });
  db = openDatabase(proxy.url, { poolSize: 1 });
});
afterAll(async () => {
  await db.$disconnect();
  await proxy.close();
  await database.drop();
});

const session = async () => {
  const [row] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return row?.pid;
};

describe('a connection of the pool to a server that speaks another language', () => {
  it.each([
    ['22012', 'SELECT 1 / 0'],
    ['23505', "INSERT INTO plans (code, name) VALUES ('twice', 'a'), ('twice', 'b')"],
    ['55P03', "DO $$ BEGIN RAISE SQLSTATE '55P03'; END $$"],
  ])('is kept after a statement that PostgreSQL rejects with %s', async (_code, sql) => {
    const before = await session();
    await expect(db.$executeRawUnsafe(sql)).rejects.toThrow();
    expect(await session()).toBe(before);
  });

  it.each([
    ['25006', "DO $$ BEGIN RAISE SQLSTATE '25006'; END $$"],
    ['57P01', 'SELECT pg_terminate_backend(pg_backend_pid())'],
  ])('is closed after %s', async (_code, sql) => {
    const before = await session();
    await expect(db.$executeRawUnsafe(sql)).rejects.toThrow();
    expect(await session()).not.toBe(before);
  });
});
