import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import {
  applyMigrations,
  listMigrations,
  MIGRATIONS_DIRECTORY,
  withMigrationLock,
} from '../src/apply-migrations.ts';
import { readDatabaseState } from '../src/database-state.ts';
import { migrate, supersededIndexes } from '../src/migrate.ts';
import { withSchemaEngine } from '../src/schema-engine.ts';
import { createTestDatabase, migrateUntil, type TestDatabase } from '../src/testing/index.ts';

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

const INDEX_OF_MIGRATION = {
  '20261121000310_messages_tests_index': 'messages_tests',
  '20261121000410_delivery_runs_errors_index': 'delivery_runs_errors',
  '20261121000420_delivery_runs_deferred_index': 'delivery_runs_deferred',
  '20261121000430_delivery_runs_channel_index': 'delivery_runs_channel_id_message_id_idx',
  '20261121000440_delivery_runs_open_replays_index': 'delivery_runs_open_replays',
  '20261121001100_messages_domain_case_index': 'messages_domain_case',
  '20261122020200_delivery_runs_quarantine_index': 'delivery_runs_quarantine',
  '20261122060100_delivery_runs_open_index': 'delivery_runs_open',
  '20261122060200_attempts_open_index': 'attempts_open',
  '20261122060300_delivery_runs_erred_index': 'delivery_runs_erred',
  '20261122060400_delivery_runs_postponed_index': 'delivery_runs_postponed',
  '20261122060500_delivery_runs_replays_index': 'delivery_runs_replays',
  '20261122080110_attempts_lookup_index': 'attempts_lookup',
  '20261122121030_channels_feedback_token_index': 'channels_feedback_token_hash_key',
  '20261122160020_delivery_runs_held_index': 'delivery_runs_held',
  '20261122180000_attempts_provider_message_index': 'attempts_provider_message',
  '20261122190020_delivery_runs_ordered_index': 'delivery_runs_ordered',
  '20261122190030_delivery_runs_unplaced_index': 'delivery_runs_unplaced',
  '20261122210010_channels_certificates_index': 'channels_certificates',
  '20261122210020_tokens_ending_index': 'tokens_ending',
  '20261122220020_delivery_runs_limited_index': 'delivery_runs_limited',
  '20261122231010_channels_broker_certificates_index': 'channels_broker_certificates',
  '20261123054000_messages_requests_index': 'messages_requests',
  '20261123062000_delivery_runs_lost_workers_index': 'delivery_runs_lost_workers',
  '20261123071010_delivery_runs_replaying_since_index': 'delivery_runs_replaying_since',
  '20261123142520_suppressions_expiry_index': 'suppressions_expiry',
  '20261123161010_messages_local_case_index': 'messages_local_case',
  '20261123161020_messages_recipient_id_index': 'messages_recipient_id',
};
const INDEX_MIGRATIONS = Object.keys(INDEX_OF_MIGRATION);
/** Those whose index a later migration drops. */
const REPLACED_INDEX_MIGRATIONS = [
  '20261122060600_delivery_runs_replaying_index',
  '20261122060700_delivery_runs_losing_index',
  '20261122080100_messages_lookup_index',
];
const WAITING_BUILD = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'CREATE INDEX'`;
const WAITING_CHANGE = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'template_parts'`;

const PARENT_INDEXES = ['messages_pkey', 'template_versions_environment_id_id_key'];
const NEWEST_INDEXES = `
  SELECT max(indexrelid)::regclass::text AS line FROM pg_index
   WHERE indrelid IN ('messages'::regclass, 'template_versions'::regclass) GROUP BY indrelid ORDER BY 1`;
const INDEX_OIDS = 'SELECT indexrelid::text AS line FROM pg_index ORDER BY 1';

/** Takes a database back to before its indexes were built concurrently. */
async function forgetIndexes(url: string): Promise<void> {
  const names = INDEX_MIGRATIONS.map((name) => `'${name}'`).join();
  await query(url, `DELETE FROM _prisma_migrations WHERE migration_name IN (${names})`);
  await query(url, `DROP INDEX IF EXISTS ${Object.values(INDEX_OF_MIGRATION).join()}`);
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

  it('create the tables of schema.prisma, and only documented indexes besides', async () => {
    await withEmptyDatabase(async (url) => {
      await applySchemaFile(url);
      expect(await lines(database.url, COLUMNS)).toEqual(await lines(url, COLUMNS));
      const described = new Set(await lines(url, INDEXES));
      const beyond = (await lines(database.url, INDEXES)).filter((line) => !described.delete(line));
      expect([...described]).toEqual([]);
      expect(beyond.map((line) => /INDEX (\w+)/.exec(line)?.[1])).toEqual([
        'attempts_lookup',
        'attempts_open',
        'attempts_provider_message',
        'channel_health_paused',
        'channel_health_releasing',
        'channel_health_unsettled',
        'channels_broker_certificates',
        'channels_certificates',
        'channels_ending',
        'channels_limited',
        'channels_list',
        'channels_operational',
        'channels_previous_secrets',
        'delivery_runs_erred',
        'delivery_runs_errors',
        'delivery_runs_held',
        'delivery_runs_limited',
        'delivery_runs_lost_workers',
        'delivery_runs_open',
        'delivery_runs_ordered',
        'delivery_runs_postponed',
        'delivery_runs_replaying_since',
        'delivery_runs_replays',
        'delivery_runs_unplaced',
        'environment_attention_needy',
        'erasures_open',
        'messages_domain_case',
        'messages_local_case',
        'messages_recipient_id',
        'messages_requests',
        'messages_tests',
        'operational_events_waiting',
        'ordering_keys_blocked',
        'replay_batches_recipient',
        'stats_render_failures',
        'suppressions_expiry',
        'tokens_ending',
        'replay_batches_one_open',
        'template_parts_active_key',
        'template_versions_one_active',
      ]);
    });
  });

  it('are applied once by concurrent processes, and are idempotent', async () => {
    await withEmptyDatabase(async (url) => {
      const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
      expect(applied.flat().sort()).toEqual(await listMigrations());
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('do not block writes while they build an index, even if another process waits', async () => {
    await withEmptyDatabase(async (url) => {
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
    await withEmptyDatabase(async (url) => {
      await migrateUntil(url, '20261122120000_suppressions');
      const writer = new Client({ connectionString: url });
      await writer.connect();
      await writer.query('BEGIN; SELECT FROM template_versions');
      const impatient = withMigrationLock(url, (client) => applyMigrations(client, url, { patienceMs: 0 }));
      await expect(impatient).rejects.toThrow('end them');
      await writer.end();
      expect((await migrate(url)).at(0)).toBe('20261122120000_template_parts');
    });
  });

  it('give way to a transaction that they would deadlock with', async () => {
    await withEmptyDatabase(async (url) => {
      await migrateUntil(url, '20261122120000_suppressions');
      const writer = new Client({ connectionString: url });
      await writer.connect();
      // The next migration locks environments, and then waits for this.
      await writer.query('BEGIN; SELECT FROM template_versions');
      const migrated = migrate(url);
      while ((await query(url, WAITING_CHANGE)).length === 0);
      await writer.query('UPDATE environments SET name = name');
      await writer.query('COMMIT');
      await writer.end();
      expect((await migrated).at(0)).toBe('20261122120000_template_parts');
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('keep the indexes of the previous release until it is finished', async () => {
    await withEmptyDatabase(async (url) => {
      await migrate(url);
      expect(await supersededIndexes(url)).toEqual([]);
      await forgetIndexes(url);
      await migrate(url);
      const left = ['delivery_runs_deferred', 'delivery_runs_open_replays', 'delivery_runs_quarantine'];
      expect((await supersededIndexes(url)).sort()).toEqual(left);

      expect(await migrate(url, { finish: true })).toEqual([]);
      expect(await supersededIndexes(url)).toEqual([]);
    });
  });

  it('that were interrupted while building an index are repeated', async () => {
    await withEmptyDatabase(async (url) => {
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

  it('that were interrupted while dropping an index are repeated', async () => {
    const name = '20261122213010_drop_operational_events_open';
    await withEmptyDatabase(async (url) => {
      await migrate(url);
      await query(url, `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${name}'`);
      expect(await migrate(url)).toEqual([name]);
    });
  });

  it('that were interrupted before the indexes of foreign keys were rebuilt are completed by the next call', async () => {
    await withEmptyDatabase(async (url) => {
      await withMigrationLock(url, (client) => applyMigrations(client, url));
      expect(await lines(url, NEWEST_INDEXES)).not.toEqual(PARENT_INDEXES);
      expect(await migrate(url)).toEqual([]);
      expect(await lines(url, NEWEST_INDEXES)).toEqual(PARENT_INDEXES);
      const oids = await lines(url, INDEX_OIDS);
      await migrate(url);
      expect(await lines(url, INDEX_OIDS)).toEqual(oids);
    });
  });

  it('of large tables change no row, and build each index concurrently in its own migration', async () => {
    for (const name of (await listMigrations()).slice(2)) {
      const sql = await readFile(`${MIGRATIONS_DIRECTORY}/${name}/migration.sql`, 'utf8');
      const statements = sql.replaceAll(/^ *--.*$/gm, '').replaceAll(/\$\$.*?\$\$/gs, '');
      expect(statements).not.toMatch(/^\s*(UPDATE|DELETE)/m);
      const indexes = [
        ...statements.matchAll(/CREATE (?:UNIQUE )?INDEX[^;]* ON "(?:messages|delivery_runs|attempts)"/g),
      ];
      if (indexes.length === 0) continue;
      expect([...INDEX_MIGRATIONS, ...REPLACED_INDEX_MIGRATIONS]).toContain(name);
      expect(statements.trim()).toMatch(/^CREATE INDEX CONCURRENTLY [^;]*;$/);
    }
  });

  it('that are pending are counted', async () => {
    const names = await listMigrations();
    expect(await readDatabaseState(database.db)).toEqual({ problem: null, pending: 0 });
    await database.db.$executeRaw`DELETE FROM _prisma_migrations WHERE migration_name = ${names.at(-1)}`;
    expect(await readDatabaseState(database.db)).toEqual({ problem: null, pending: 1 });
  });
});
