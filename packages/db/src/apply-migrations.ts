import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { openSession } from './database-client.ts';
import { ADVISORY_LOCKS } from './transactions/advisory-locks.ts';

/** Shorter than PostgreSQL's `deadlock_timeout` (1 s), so that a migration gives way before a session becomes a victim. */
const LOCK_WAIT_MS = 200;
/** Longer than `deadlock_timeout`: only then does PostgreSQL cancel an autovacuum that has the lock. */
const LONG_LOCK_WAIT_MS = 1_500;
/** One try in this many waits {@link LONG_LOCK_WAIT_MS}. */
const LONG_WAIT_INTERVAL = 10;
/** The pause before a migration is repeated, in which the waiting transactions run. */
const LOCK_PAUSE_MS = { least: 50, most: 250 };
/** How long a migration is repeated before it fails. */
const LOCK_PATIENCE_MS = 300_000;
/** SQLSTATEs of a lock that was not available within `lock_timeout`, and of the victim of a deadlock. */
const LOCK_ERRORS = ['55P03', '40P01'];

/** Why a database is not migrated, with what an operator can do. */
export class MigrationError extends Error {}

const TABLES_IN_USE =
  'a migration was rolled back, because long transactions use its tables: end them (pg_stat_activity shows them) and migrate again';

const withoutComments = (script: string) => script.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '');
const isConcurrent = (script: string) => /\bINDEX CONCURRENTLY\b/.test(withoutComments(script));

const CONCURRENT_INDEX =
  /(?:CREATE (?:UNIQUE )?|DROP )INDEX CONCURRENTLY (IF NOT EXISTS |IF EXISTS )?"(\w+)"/g;

/**
 * Refuses a database with a migration that this release does not have, although it has later ones. Those of a later release are
 * later than all of `names`: after a return to this release, the call changes nothing.
 * @throws MigrationError
 */
async function refuseUnknownMigrations(client: Client, names: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE migration_name <> ALL ($1) AND migration_name < $2 AND rolled_back_at IS NULL ORDER BY 1 LIMIT 1`,
    [names, names.at(-1)],
  );
  if (!rows[0]) return;
  throw new MigrationError(
    `this database was migrated by a build that was never released (${rows[0].name}), and cannot be upgraded: ` +
      'restore a backup that a release has made, or migrate a new database',
  );
}

/**
 * Undoes interrupted migrations that build or drop indexes concurrently. They leave an invalid index and an unfinished
 * record, which blocks every later migration. Such a migration can be repeated from the beginning: with `IF NOT EXISTS`
 * it then skips the indexes that are complete. Unfinished records of other migrations are of an earlier release.
 * @param client a client that holds the migration lock, so no other process builds an index
 */
async function undoInterruptedIndexes(client: Client): Promise<void> {
  const { rows } = await client.query<{ id: string; name: string }>(
    `SELECT id, migration_name AS name FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
  for (const { id, name } of rows) {
    const indexes = [...withoutComments(await readSql(name)).matchAll(CONCURRENT_INDEX)];
    for (const [, condition, index] of indexes) {
      const { rows: complete } = await client.query(
        'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid',
        [index],
      );
      const isSkipped = condition === 'IF NOT EXISTS ' && complete.length > 0;
      if (!isSkipped) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${index}"`);
    }
    if (indexes.length > 0) {
      await client.query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = $1', [id]);
    }
  }
}

/** The folder with one sub-folder per migration. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

const LOCK_RETRY_MS = 100;

/** The names of the migrations on disk, oldest first. */
export async function listMigrations(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS_DIRECTORY, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

const readSql = (name: string) => readFile(`${MIGRATIONS_DIRECTORY}/${name}/migration.sql`, 'utf8');

/**
 * Polls for the lock. A session that waits for it inside PostgreSQL holds a snapshot, for which a lock holder that
 * builds an index concurrently would wait.
 */
async function waitForLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      ADVISORY_LOCKS.migrations,
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

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);

/**
 * Runs a migration without stopping the processes that use its tables. A migration locks several tables in one transaction,
 * in another order than these processes, so the two can deadlock. It therefore waits only {@link LOCK_WAIT_MS} for a lock.
 * Then it is rolled back as a whole and repeated, for up to `patienceMs`. Every tenth try waits longer, to displace an
 * autovacuum.
 * @throws MigrationError after `patienceMs`
 */
async function runMigration(client: Client, script: string, patienceMs: number): Promise<void> {
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    const waitMs = tries % LONG_WAIT_INTERVAL === 0 ? LONG_LOCK_WAIT_MS : LOCK_WAIT_MS;
    try {
      await client.query(`SET LOCAL lock_timeout = '${waitMs}ms';\n${script}`);
      return;
    } catch (error) {
      if (!LOCK_ERRORS.includes(codeOf(error))) throw error;
      if (performance.now() - began > patienceMs) throw new MigrationError(TABLES_IN_USE, { cause: error });
    }
    await wait(LOCK_PAUSE_MS.least + Math.random() * (LOCK_PAUSE_MS.most - LOCK_PAUSE_MS.least));
  }
}

/**
 * Runs a migration that builds or drops indexes concurrently, and completes its record. It does not block writes, so it waits
 * for locks as long as necessary. Its statements are sent one by one, because several that are sent together are a transaction.
 */
async function runConcurrently(client: Client, script: string, [id]: readonly string[]): Promise<void> {
  try {
    const statements = withoutComments(script).split(';');
    for (const statement of statements.filter((text) => text.trim() !== '')) await client.query(statement);
  } catch (error) {
    const failed = 'UPDATE _prisma_migrations SET logs = $2 WHERE id = $1';
    await client.query(failed, [id, String(error)]).catch(() => undefined);
    throw error;
  }
  const finished = 'UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1';
  await client.query(finished, [id]);
}

/** As `prisma migrate` creates it. */
const RECORDS = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL,
    logs TEXT, rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

interface ApplyOptions {
  /** The last migration to apply; by default the last on disk. */
  readonly until?: string;
  /** How long to repeat a migration that does not get its locks, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Applies the migrations on disk and returns the names of those that were pending. Repeats interrupted migrations that build
 * or drop indexes concurrently. Its records are those of `prisma migrate deploy`, which can take over.
 * @throws MigrationError for a database of a build between releases, which is not changed; after a migration of another kind that
 * an earlier release began and did not finish; and after `patienceMs`, when the next call applies the migration
 */
export async function applyMigrations(
  client: Client,
  { until, patienceMs = LOCK_PATIENCE_MS }: ApplyOptions = {},
): Promise<string[]> {
  const names = await listMigrations();
  await client.query(RECORDS);
  await refuseUnknownMigrations(client, names);
  await undoInterruptedIndexes(client);
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const interrupted = rows.find(({ finished }) => !finished);
  if (interrupted)
    throw new MigrationError(
      `the migration ${interrupted.name} was interrupted: see docs/runbook.md, "Upgrade"`,
    );
  const applied = new Set(rows.map(({ name }) => name));
  const pending = names.filter((name) => !applied.has(name) && (until === undefined || name <= until));
  for (const name of pending) await applyMigration(client, name, patienceMs);
  return pending;
}

const INSERT_RECORD = 'INSERT INTO _prisma_migrations (id, checksum, migration_name';

/**
 * Applies a migration. Its record is part of its transaction, so a process that is killed leaves either both or nothing. Only
 * a migration that builds or drops indexes concurrently, which is not a transaction, has a record before it begins.
 */
async function applyMigration(client: Client, name: string, patienceMs: number): Promise<void> {
  const script = await readSql(name);
  const values = [randomUUID(), createHash('sha256').update(script).digest('hex'), name];
  if (isConcurrent(script)) {
    await client.query(`${INSERT_RECORD}) VALUES ($1, $2, $3)`, values);
    await runConcurrently(client, script, values.slice(0, 1));
    return;
  }
  const record = `${INSERT_RECORD}, finished_at, applied_steps_count) VALUES ('${values.join("', '")}', clock_timestamp(), 1)`;
  try {
    await runMigration(client, `${script};\n${record}`, patienceMs);
  } catch (error) {
    const failed = `${INSERT_RECORD}, logs, rolled_back_at) VALUES ($1, $2, $3, $4, now())`;
    // If the connection is lost, the error of the migration says so.
    await client.query(failed, [...values, String(error)]).catch(() => undefined);
    throw error;
  }
}
