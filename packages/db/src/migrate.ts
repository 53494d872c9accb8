import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isPooledDatabase } from '@postrider/domain';
import { Client } from 'pg';
import type { Database } from './client.ts';
import { TablesInUseError, withSchemaEngine } from './schema-engine.ts';
import { grantRoles } from './scope/grants.ts';

const INDEX_BUILT_CONCURRENTLY = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"/;

/**
 * Undoes interrupted migrations that build an index concurrently. They leave an invalid index and an unfinished
 * record, which blocks every later migration. Such a migration is a single statement, so it can be repeated from the
 * beginning. Other interrupted migrations are left as they are.
 * @param client a client that holds the migration lock, so no other process builds an index
 * @param readSql returns the text of a migration by name
 */
async function undoInterruptedIndexes(
  client: Client,
  readSql: (migrationName: string) => Promise<string>,
): Promise<void> {
  const { rows: tables } = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`);
  if (tables[0]?.name === null) return;
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
  for (const { name } of rows) {
    const [, index] = INDEX_BUILT_CONCURRENTLY.exec(await readSql(name)) ?? [];
    if (!index) continue;
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${index}"`);
    await markRolledBack(client, name);
  }
}

/** Lets the next call apply a migration again that left nothing behind; by default the one that did not finish. */
async function markRolledBack(client: Client, name: string | null = null): Promise<void> {
  await client.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
      WHERE migration_name = COALESCE($1, migration_name) AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
}

/** The folder with one sub-folder per migration. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/**
 * Indexes that only the previous release uses. Its statements name statuses, and an index on the status prevents HOT
 * updates of claims (decision 35). A later release removes this list with the migrations that create them.
 */
const SUPERSEDED_INDEXES = [
  'delivery_runs_waiting',
  'delivery_runs_leases',
  'delivery_runs_exceptions',
  'delivery_runs_deferred',
  'delivery_runs_open_replays',
  'delivery_runs_quarantine',
  'delivery_runs_environment_id_created_at_idx',
];

/** Does not block writes. If it is interrupted, it leaves an invalid index, which the next call drops. */
async function dropSupersededIndexes(client: Client): Promise<void> {
  for (const name of SUPERSEDED_INDEXES) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
}

/** The indexes that foreign keys look up their parents by, in tables where other indexes begin with the same column. */
const PARENT_INDEXES = ['messages_pkey', 'template_versions_environment_id_id_key'];

/**
 * Rebuilds these indexes, so that they are the newest of their tables. A connection plans the look-up of a foreign key once.
 * While the table is empty, all its indexes cost the same and PostgreSQL takes the newest, such as the one by recipient. Each new
 * run would then read the messages of all recipients until the table is analysed. Tables with rows get the right plan without
 * this.
 */
async function rebuildParentIndexes(client: Client): Promise<void> {
  for (const name of PARENT_INDEXES) await client.query(`REINDEX INDEX CONCURRENTLY "${name}"`);
}

/** An interrupted `REINDEX` leaves an invalid index of this name, which every insert maintains. */
async function dropInterruptedRebuilds(client: Client): Promise<void> {
  for (const name of PARENT_INDEXES) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}_ccnew"`);
}

/** Any constant that is the same in every process that migrates. */
const MIGRATION_LOCK = 7_205_759_403;
const LOCK_RETRY_MS = 100;

const NO_EXTERNAL_OBJECTS = { externalTables: [], externalEnums: [] };

/** The names of the migrations on disk, oldest first. */
export async function listMigrations(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS_DIRECTORY, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

const readSql = (name: string) => readFile(`${MIGRATIONS_DIRECTORY}/${name}/migration.sql`, 'utf8');

async function readMigration(path: string) {
  const value = await readSql(path);
  return { path, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } };
}

/**
 * Polls for the lock. A session that waits for it inside PostgreSQL holds a snapshot, for which a lock holder that
 * builds an index concurrently would wait.
 */
async function takeTurn(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken) return;
    await wait(LOCK_RETRY_MS);
  }
}

/**
 * Brings the schema of `databaseUrl` up to date and returns the names of the applied migrations. Idempotent;
 * concurrent calls are serialised by an advisory lock. A migration of several statements is one transaction. One that
 * is a single `CREATE INDEX CONCURRENTLY` is not: it blocks no writes, and is repeated by the next call if it was
 * interrupted. The roles of the processes, if the server has them, then get their rights, see {@link grantRoles}.
 * A migration waits only briefly for tables that running processes use, and is repeated until it gets them. After
 * `patienceMs` milliseconds this throws a `TablesInUseError`, and the next call applies the migration. Throws for a URL of
 * PgBouncer, because the lock needs a session.
 * @param until the last migration to apply, for tests that need the schema of an earlier release; index and role changes that
 * follow the migrations are then left out
 * @param finish also drops the indexes that only the previous release uses; for when none of its processes runs any
 * more. In a new database they are dropped at once
 */
export async function migrate(
  databaseUrl: string,
  {
    finish = false,
    until,
    patienceMs,
  }: { readonly finish?: boolean; readonly until?: string; readonly patienceMs?: number } = {},
): Promise<string[]> {
  if (isPooledDatabase(databaseUrl)) throw new Error('no migration goes through PgBouncer');
  const names = (await listMigrations()).filter((name) => until === undefined || name <= until);
  const lockHolder = new Client({ connectionString: databaseUrl });
  await lockHolder.connect();
  try {
    await takeTurn(lockHolder);
    await undoInterruptedIndexes(lockHolder, readSql);
    const applied = await withSchemaEngine(
      databaseUrl,
      async (engine) =>
        engine.applyMigrations({
          migrationsList: {
            baseDir: MIGRATIONS_DIRECTORY,
            lockfile: {
              path: 'migration_lock.toml',
              content: await readFile(`${MIGRATIONS_DIRECTORY}/migration_lock.toml`, 'utf8'),
            },
            shadowDbInitScript: '',
            migrationDirectories: await Promise.all(names.map(readMigration)),
          },
          filters: NO_EXTERNAL_OBJECTS,
        }),
      patienceMs,
    );
    const isNew = applied.appliedMigrationNames.includes(names[0] ?? '');
    if (until !== undefined) return applied.appliedMigrationNames;
    await dropInterruptedRebuilds(lockHolder);
    if (finish || isNew) await dropSupersededIndexes(lockHolder);
    if (isNew) await rebuildParentIndexes(lockHolder);
    await grantRoles(lockHolder);
    return applied.appliedMigrationNames;
  } catch (error) {
    if (error instanceof TablesInUseError) await markRolledBack(lockHolder);
    throw error;
  } finally {
    await lockHolder.end();
  }
}

/** The indexes in this database that only the previous release uses; `migrate` with `finish` drops them. */
export async function supersededIndexes(databaseUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(format('%I', name)) IS NOT NULL`,
      [SUPERSEDED_INDEXES],
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** The migrations on disk that this database does not have yet. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const applied = await db.$queryRaw<{ migration_name: string }[]>`
    SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const names = new Set(applied.map((row) => row.migration_name));
  return (await listMigrations()).filter((name) => !names.has(name));
}
