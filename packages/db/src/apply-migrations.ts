import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { openSession } from './database-client.ts';
import { TablesInUseError, withSchemaEngine } from './schema-engine.ts';

const CONCURRENT_INDEX =
  /(?:CREATE (?:UNIQUE )?|DROP )INDEX CONCURRENTLY (IF NOT EXISTS |IF EXISTS )?"(\w+)"/g;

/** The database has a migration of a build between two releases, so no release can continue. */
class UnknownMigrationError extends Error {
  constructor(name: string) {
    super(
      `this database was migrated by a build that was never released (${name}), and cannot be upgraded: ` +
        'restore a backup that a release has made, or migrate a new database',
    );
  }
}

/**
 * Refuses a database with a migration that this release does not have, although it has later ones. Those of a later release are
 * later than all of `names`: after a return to this release, the call changes nothing.
 */
async function refuseUnknownMigrations(client: Client, names: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE migration_name <> ALL ($1) AND migration_name < $2 AND rolled_back_at IS NULL ORDER BY 1 LIMIT 1`,
    [names, names.at(-1)],
  );
  if (rows[0]) throw new UnknownMigrationError(rows[0].name);
}

/**
 * Undoes interrupted migrations that build or drop indexes concurrently. They leave an invalid index and an unfinished
 * record, which blocks every later migration. Such a migration can be repeated from the beginning: with `IF NOT EXISTS`
 * it then skips the indexes that are complete. Other interrupted migrations are left unchanged.
 * @param client a client that holds the migration lock, so no other process builds an index
 * @param readSql returns the text of a migration by name
 */
async function undoInterruptedIndexes(
  client: Client,
  readSql: (migrationName: string) => Promise<string>,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
  for (const { name } of rows) {
    const indexes = [...(await readSql(name)).matchAll(CONCURRENT_INDEX)];
    for (const [, condition, index] of indexes) {
      const { rows: complete } = await client.query(
        'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid',
        [index],
      );
      const isSkipped = condition === 'IF NOT EXISTS ' && complete.length > 0;
      if (!isSkipped) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${index}"`);
    }
    if (indexes.length > 0) await markRolledBack(client, name);
  }
}

/**
 * Marks an unfinished migration as rolled back, or without a name all of them, so that the next call applies it again. It
 * must have left nothing behind.
 */
async function markRolledBack(client: Client, name: string | null = null): Promise<void> {
  await client.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
      WHERE migration_name = COALESCE($1, migration_name) AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
}

/** The folder with one sub-folder per migration. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

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

async function readMigration(name: string) {
  const value = await readSql(name);
  return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } };
}

/**
 * Polls for the lock. A session that waits for it inside PostgreSQL holds a snapshot, for which a lock holder that
 * builds an index concurrently would wait.
 */
async function waitForLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken) return;
    await wait(LOCK_RETRY_MS);
  }
}

/**
 * Runs `use` with a connection that holds the migration lock, so that concurrent processes take turns. Rejects if the
 * connection is lost, and the lock with it.
 */
export async function withMigrationLock<T>(
  databaseUrl: string,
  use: (lockHolder: Client) => Promise<T>,
): Promise<T> {
  const lockHolder = await openSession(databaseUrl);
  const lost = new Promise<never>((_, reject) => lockHolder.on('error', reject));
  lost.catch(() => undefined);
  try {
    await waitForLock(lockHolder);
    return await Promise.race([use(lockHolder), lost]);
  } finally {
    await lockHolder.end();
  }
}

interface ApplyOptions {
  /** The last migration to apply; by default the last on disk. */
  readonly until?: string;
  /** How long to repeat a migration that does not get its locks, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Applies the migrations on disk and returns the names of those that were pending. Repeats interrupted migrations that build
 * or drop indexes concurrently.
 * @throws UnknownMigrationError for a database of a build between releases, which is not changed
 * @throws TablesInUseError after `patienceMs`; the next call then applies the migration
 */
export async function applyMigrations(
  lockHolder: Client,
  databaseUrl: string,
  { until, patienceMs }: ApplyOptions = {},
): Promise<string[]> {
  const known = await listMigrations();
  const names = known.filter((name) => until === undefined || name <= until);
  const { rows } = await lockHolder.query(`SELECT WHERE to_regclass('_prisma_migrations') IS NOT NULL`);
  if (rows.length > 0) {
    await refuseUnknownMigrations(lockHolder, known);
    await undoInterruptedIndexes(lockHolder, readSql);
  }
  try {
    const { appliedMigrationNames } = await withSchemaEngine(
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
    return appliedMigrationNames;
  } catch (error) {
    if (error instanceof TablesInUseError) await markRolledBack(lockHolder);
    throw error;
  }
}
