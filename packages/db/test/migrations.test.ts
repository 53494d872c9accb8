import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import {
  applyMigrations,
  listMigrations,
  MIGRATIONS_DIRECTORY,
  withMigrationLock,
} from '../src/apply-migrations.ts';
import { readDatabaseState } from '../src/database-state.ts';
import { describeOutage, isDatabaseUnreachable, openDatabase } from '../src/index.ts';
import { migrate, supersededIndexes } from '../src/migrate.ts';
import { createTestDatabase, migrateUntil, type TestDatabase } from '../src/testing/index.ts';
import { INDEXES, lines, query, withEmptyDatabase } from './support-databases.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const INDEXES_SINCE_0_1_0 = '20261128210000_indexes';
/** The migrations that build indexes concurrently. */
const INDEX_MIGRATIONS = [
  '20261121000310_messages_tests_index',
  '20261121000410_delivery_runs_errors_index',
  '20261121000420_delivery_runs_deferred_index',
  '20261121000430_delivery_runs_channel_index',
  '20261121000440_delivery_runs_open_replays_index',
  '20261121001100_messages_domain_case_index',
  INDEXES_SINCE_0_1_0,
];
const LAST_OF_0_1_0 = '20261121130520_removed_deliveries_bigint';
const CREATES_AUDIT_LOG = '20261121000200_management';
const FIRST_SINCE_0_1_0 = '20261123190000_configuration';
const WAITING_BUILD = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'CREATE INDEX'`;
const WAITING_CHANGE = `
  SELECT FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ '^SET LOCAL lock_timeout'`;

const PARENT_INDEXES = ['messages_pkey', 'template_versions_environment_id_id_key'];
const NEWEST_INDEXES = `
  SELECT max(indexrelid)::regclass::text AS line FROM pg_index
   WHERE indrelid IN ('messages'::regclass, 'template_versions'::regclass) GROUP BY indrelid ORDER BY 1`;
const INDEX_OIDS = 'SELECT indexrelid::text AS line FROM pg_index ORDER BY 1';

const readSql = (name: string) => readFile(`${MIGRATIONS_DIRECTORY}/${name}/migration.sql`, 'utf8');

/** Takes a database back to before its indexes were built concurrently. */
async function forgetIndexes(url: string): Promise<void> {
  const names = INDEX_MIGRATIONS.map((name) => `'${name}'`).join();
  await query(url, `DELETE FROM _prisma_migrations WHERE migration_name IN (${names})`);
  const sql = (await Promise.all(INDEX_MIGRATIONS.map(readSql))).join();
  const indexes = [...sql.matchAll(/CREATE INDEX CONCURRENTLY (?:IF NOT EXISTS )?("\w+")/g)];
  expect(indexes.length).toBeGreaterThan(20);
  await query(url, `DROP INDEX IF EXISTS ${indexes.map(([, index]) => index).join()}`);
}

describe('migrations', () => {
  it('fail with the error of the connection that held their lock, if it is lost while it is idle', async () => {
    const migrating = withMigrationLock(database.url, async (lockHolder) => {
      const { rows } = await lockHolder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await query(database.url, `SELECT pg_terminate_backend(${rows[0]?.pid})`);
      return new Promise<never>(() => undefined);
    });
    await expect(migrating).rejects.toMatchObject({ code: '57P01' });
  });

  it.each([
    ['app, public', 'begins with "app"'],
    ['missing', 'has no existing schema'],
  ])('are refused with the search path %s, because the tables must be in public', async (path, found) => {
    await withEmptyDatabase(database.url, async (url) => {
      await query(url, 'CREATE SCHEMA app');
      await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = ${path}`);
      await expect(migrate(url)).rejects.toThrow(found);
      expect(await query(url, `SELECT FROM pg_tables WHERE schemaname IN ('app', 'public')`)).toEqual([]);
    });
  });

  it('are refused with a Turkish collation, because an erasure would not find addresses with a capital I', async () => {
    await withEmptyDatabase(
      database.url,
      async (url) => {
        await expect(migrate(url)).rejects.toThrow('the collation of this database');
        expect(await query(url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
      },
      `LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'`,
    );
  });

  it('are applied once by concurrent processes, and are idempotent', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
      expect(applied.flat().sort()).toEqual(await listMigrations());
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('do not block writes while they build an index, even if another process waits', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrate(url);
      await forgetIndexes(url);
      const writer = new Client({ connectionString: url });
      await writer.connect();
      await writer.query('BEGIN; UPDATE delivery_runs SET fence = fence; UPDATE messages SET test = test');
      const migrations = Promise.all([migrate(url), migrate(url)]);
      while ((await query(url, WAITING_BUILD)).length === 0);
      await query(
        url,
        `SET lock_timeout = '1s'; UPDATE delivery_runs SET fence = fence; UPDATE messages SET test = test`,
      );
      await writer.query('COMMIT');
      await writer.end();
      expect((await migrations).flat()).toEqual(INDEX_MIGRATIONS);
      await migrate(url, { finish: true });
      expect(await lines(url, INDEXES)).toEqual(await lines(database.url, INDEXES));
    });
  });

  it('that did not get their locks in time are applied by the next call', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrateUntil(url, LAST_OF_0_1_0);
      const writer = new Client({ connectionString: url });
      await writer.connect();
      await writer.query('BEGIN; SELECT FROM template_versions');
      const impatient = withMigrationLock(url, (client) => applyMigrations(client, { patienceMs: 0 }));
      await expect(impatient).rejects.toThrow('end them');
      await writer.end();
      expect((await migrate(url)).at(0)).toBe(FIRST_SINCE_0_1_0);
    });
  });

  it('give way to a transaction that they would deadlock with', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrateUntil(url, LAST_OF_0_1_0);
      const writer = new Client({ connectionString: url });
      await writer.connect();
      // The next migration locks environments, and then waits for this.
      await writer.query('BEGIN; SELECT FROM template_versions');
      const migrated = migrate(url);
      while ((await query(url, WAITING_CHANGE)).length === 0);
      await writer.query('UPDATE environments SET name = name');
      await writer.query('COMMIT');
      await writer.end();
      expect((await migrated).at(0)).toBe(FIRST_SINCE_0_1_0);
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('whose process is killed half-way leave nothing, and are applied by the next call', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrateUntil(url, LAST_OF_0_1_0);
      const records = 'SELECT migration_name AS line FROM _prisma_migrations ORDER BY 1';
      const before = await lines(url, records);
      const writer = new Client({ connectionString: url });
      await writer.connect();
      await writer.query('BEGIN; SELECT FROM template_versions');
      const killed = expect(migrate(url)).rejects.toThrow(/terminat/);
      while ((await query(url, WAITING_CHANGE)).length === 0);
      const session = `datname = current_database() AND query ~ '^SET LOCAL lock_timeout'`;
      await query(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${session}`);
      await killed;
      await writer.end();
      expect(await lines(url, records)).toEqual(before);
      expect((await migrate(url)).at(0)).toBe(FIRST_SINCE_0_1_0);
    });
  });

  it('keep the indexes of the previous release until it is finished', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrate(url);
      expect(await supersededIndexes(url)).toEqual([]);
      await forgetIndexes(url);
      await migrate(url);
      const left = ['delivery_runs_deferred', 'delivery_runs_open_replays', 'messages_domain_case'];
      expect((await supersededIndexes(url)).sort()).toEqual(left);

      expect(await migrate(url, { finish: true })).toEqual([]);
      expect(await supersededIndexes(url)).toEqual([]);
    });
  });

  it('that were interrupted while building an index are repeated', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrate(url);
      await query(
        url,
        `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${INDEX_MIGRATIONS[1]}'`,
      );
      await query(
        url,
        `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'delivery_runs_errors'::regclass`,
      );
      expect(await migrate(url)).toEqual([INDEX_MIGRATIONS[1]]);
      expect(await query(url, 'SELECT FROM pg_index WHERE NOT indisvalid')).toEqual([]);
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('that were interrupted while building one of several indexes build only the missing ones', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrate(url);
      const built = `SELECT relname || ' ' || oid AS line FROM pg_class WHERE relname ~ '^(delivery_runs|attempts)_' ORDER BY 1`;
      const before = await lines(url, built);
      await query(
        url,
        `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${INDEXES_SINCE_0_1_0}'`,
      );
      await query(url, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'attempts_open'::regclass`);
      await query(url, 'DROP INDEX attempts_lookup');
      expect(await migrate(url)).toEqual([INDEXES_SINCE_0_1_0]);
      expect(await query(url, 'SELECT FROM pg_index WHERE NOT indisvalid')).toEqual([]);
      const after = await lines(url, built);
      const rebuilt = after.filter((line) => !before.includes(line)).map((line) => line.split(' ')[0]);
      expect(rebuilt).toEqual(['attempts_lookup', 'attempts_open']);
      expect(after).toHaveLength(before.length);
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('do not continue after one that was interrupted half-way, and name it', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrateUntil(url, CREATES_AUDIT_LOG);
      const name = `migration_name = '${CREATES_AUDIT_LOG}'`;
      await query(url, `UPDATE _prisma_migrations SET finished_at = NULL WHERE ${name}`);
      await expect(migrate(url)).rejects.toThrow(`the migration ${CREATES_AUDIT_LOG} was interrupted`);
      expect(await lines(url, 'SELECT count(*) AS line FROM _prisma_migrations')).toEqual(['3']);
    });
  });

  it('keep the error of one that failed in its record, with the checksum of its file, and apply it when its cause is gone', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrateUntil(url, LAST_OF_0_1_0);
      await query(url, 'ALTER TABLE plans RENAME TO moved');
      await expect(migrate(url)).rejects.toThrow('plans');
      const failed = 'SELECT logs AS line FROM _prisma_migrations WHERE finished_at IS NULL';
      expect(await lines(url, failed)).toEqual([expect.stringContaining('relation "plans" does not exist')]);
      const checksums = `SELECT checksum AS line FROM _prisma_migrations WHERE migration_name = '${CREATES_AUDIT_LOG}'`;
      const checksum = createHash('sha256')
        .update(await readSql(CREATES_AUDIT_LOG))
        .digest('hex');
      expect(await lines(url, checksums)).toEqual([checksum]);
      await query(url, 'ALTER TABLE moved RENAME TO plans');
      await migrate(url);
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('refuse a database of a build between releases, say so, and change nothing', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrateUntil(url, LAST_OF_0_1_0);
      await query(
        url,
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
         VALUES ('any', 'any', '20261122020100_run_lost_workers', now())`,
      );
      const records = 'SELECT migration_name AS line FROM _prisma_migrations ORDER BY 1';
      const before = await lines(url, records);
      await expect(migrate(url)).rejects.toThrow(
        'this database was migrated by a build that was never released (20261122020100_run_lost_workers)',
      );
      expect(await lines(url, records)).toEqual(before);
    });
  });

  it('leave a database of a later release as it is', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await migrate(url);
      await query(
        url,
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
         VALUES ('any', 'any', '29991231000000_later', now())`,
      );
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('that were interrupted before the indexes of foreign keys were rebuilt are completed by the next call', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      await withMigrationLock(url, (client) => applyMigrations(client));
      expect(await lines(url, NEWEST_INDEXES)).not.toEqual(PARENT_INDEXES);
      expect(await migrate(url)).toEqual([]);
      expect(await lines(url, NEWEST_INDEXES)).toEqual(PARENT_INDEXES);
      const oids = await lines(url, INDEX_OIDS);
      await migrate(url);
      expect(await lines(url, INDEX_OIDS)).toEqual(oids);
    });
  });

  it('of large tables change no row, and build indexes concurrently in migrations that do nothing else', async () => {
    for (const name of (await listMigrations()).slice(2)) {
      const statements = (await readSql(name)).replaceAll(/^ *--.*$/gm, '').replaceAll(/\$\$.*?\$\$/gs, '');
      expect(statements).not.toMatch(/^\s*(UPDATE|DELETE)/m);
      const indexes = [
        ...statements.matchAll(
          /CREATE (?:UNIQUE )?INDEX[^;]* ON "(?:messages|delivery_runs|attempts|audit_log)"/g,
        ),
      ];
      if (indexes.length === 0 || name === CREATES_AUDIT_LOG) continue;
      expect(INDEX_MIGRATIONS).toContain(name);
      const one = name === INDEXES_SINCE_0_1_0 ? 'IF NOT EXISTS [^;]*;\\s*)+' : '[^;]*;)';
      expect(statements.trim()).toMatch(new RegExp(`^(CREATE INDEX CONCURRENTLY ${one}$`));
    }
  });

  it('that build or drop indexes concurrently do nothing else, because they are no transactions', async () => {
    const found: string[] = [];
    for (const name of await listMigrations()) {
      const statements = (await readSql(name)).replaceAll(/--[^\n]*/g, '').split(';');
      const isConcurrent = (statement: string) => /^\s*(CREATE|DROP) INDEX CONCURRENTLY /.test(statement);
      if (!statements.some((statement) => /\bCONCURRENTLY\b/.test(statement))) continue;
      found.push(name);
      expect(statements.filter((text) => !isConcurrent(text) && !/^\s*(SET |$)/.test(text))).toEqual([]);
    }
    expect(found).toEqual(INDEX_MIGRATIONS);
  });

  it('that are pending are counted', async () => {
    const names = await listMigrations();
    expect(await readDatabaseState(database.db)).toEqual({ problem: null, pending: 0 });
    await database.db.$executeRaw`DELETE FROM _prisma_migrations WHERE migration_name = ${names.at(-1)}`;
    expect(await readDatabaseState(database.db)).toEqual({ problem: null, pending: 1 });
  });

  it('are all pending in an empty database, whose errors say so and are an outage', async () => {
    await withEmptyDatabase(database.url, async (url) => {
      const db = openDatabase(url);
      const names = await listMigrations();
      expect(await readDatabaseState(db)).toEqual({ problem: null, pending: names.length });
      const error = await db.plan.count().catch((thrown: unknown) => thrown);
      expect([isDatabaseUnreachable(error), describeOutage(error)]).toEqual([true, 'migrations missing']);
      await db.$disconnect();
    });
  });
});
