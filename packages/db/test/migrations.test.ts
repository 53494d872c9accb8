import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ATTEMPT_ERROR_CODES } from '@postrider/domain';
import { Client } from 'pg';
import { listMigrations, migrate, pendingMigrations } from '../src/migrate.ts';
import { withSchemaEngine } from '../src/schema-engine.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function withEmptyDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const name = `postrider_empty_${randomBytes(6).toString('hex')}`;
  const url = new URL(database.url);
  await query(database.url, `CREATE DATABASE ${name} TEMPLATE template0`);
  url.pathname = `/${name}`;
  try {
    return await use(url.href);
  } finally {
    await query(database.url, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

const COLUMNS = `
  SELECT table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || COALESCE(column_default, '') AS line
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY 1`;
const INDEXES = `
  SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`;
const lines = async (url: string, sql: string) =>
  (await query<{ line: string }>(url, sql)).map(({ line }) => line);

/** The schema that Prisma would make from schema.prisma alone. */
async function applySchemaFile(url: string): Promise<void> {
  const path = fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url));
  const files = [{ path: 'schema.prisma', content: await readFile(path, 'utf8') }];
  const { stdout } = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  await query(url, stdout ?? '');
}

describe('migrations', () => {
  it('make the tables that schema.prisma describes, and only the documented indexes beyond them', async () => {
    await withEmptyDatabase(async (url) => {
      await applySchemaFile(url);
      expect(await lines(database.url, COLUMNS)).toEqual(await lines(url, COLUMNS));
      const described = new Set(await lines(url, INDEXES));
      const beyond = (await lines(database.url, INDEXES)).filter((line) => !described.delete(line));
      expect([...described]).toEqual([]);
      expect(beyond.map((line) => /INDEX (\w+)/.exec(line)?.[1])).toEqual([
        'channels_ending',
        'channels_list',
        'channels_previous_secrets',
        'delivery_runs_deferred',
        'delivery_runs_errors',
        'delivery_runs_exceptions',
        'delivery_runs_leases',
        'delivery_runs_open_replays',
        'delivery_runs_waiting',
        'messages_tests',
        'replay_batches_one_open',
        'template_versions_one_active',
      ]);
    });
  });

  it('are applied once by processes that start together, and again change nothing', async () => {
    await withEmptyDatabase(async (url) => {
      const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
      expect(applied.flat().sort()).toEqual(await listMigrations());
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('that a database lacks are named', async () => {
    const names = await listMigrations();
    expect(await pendingMigrations(database.db)).toEqual([]);
    await database.db.$executeRaw`DELETE FROM _prisma_migrations WHERE migration_name = ${names.at(-1)}`;
    expect(await pendingMigrations(database.db)).toEqual([names.at(-1)]);
  });
});

describe('the constraints', () => {
  it('know exactly the attempt error codes of the code', async () => {
    const [row] = await query<{ definition: string }>(
      database.url,
      `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'attempts_error_code'`,
    );
    const inDatabase = [...(row?.definition ?? '').matchAll(/'(\w+)'/g)].map((match) => match[1]);
    expect(inDatabase.sort()).toEqual([...ATTEMPT_ERROR_CODES].sort());
  });
});
