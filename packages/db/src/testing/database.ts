import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { applyMigrations, withMigrationLock } from '../apply-migrations.ts';
import { openDatabase, type UnboundDatabase } from '../client.ts';
import type { AppRole } from '../grants.ts';

export interface TestDatabase {
  readonly url: string;
  /** The URL for a process, whose role owns no table, so that policies apply to it. */
  readonly urlFor: (role: AppRole) => string;
  readonly db: UnboundDatabase;
  /** Disconnects and removes the database, including its open connections. */
  readonly drop: () => Promise<void>;
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with "npm test -- <jest arguments>"`);
  return value;
}

const IDLE_LIMIT_MS = 60_000;
let administration: Pool | undefined;

/**
 * Executes a statement as the administrator. Its sessions stay open for the next one: opening and closing one takes 10 ms
 * of processor time, and each test database needs two statements. They do not keep the process running.
 */
async function onServer(statement: string): Promise<void> {
  if (!administration) {
    const connectionString = required('POSTRIDER_TEST_DATABASE_URL');
    administration = new Pool({ connectionString, idleTimeoutMillis: IDLE_LIMIT_MS, allowExitOnIdle: true });
    // The server may end before this process does.
    administration.on('error', () => undefined);
  }
  await administration.query(statement);
}

/** Creates a migrated database without rows, a copy of the run's template; with `empty` one without a schema. */
export async function createTestDatabase({
  poolSize = 10,
  empty = false,
  ...options
}: {
  poolSize?: number;
  /** For more than the statements of the service: see `openPooledDatabase`. */
  silenceLimitMs?: number;
  empty?: boolean;
} = {}): Promise<TestDatabase> {
  const template = required('POSTRIDER_TEST_TEMPLATE');
  // At its end, the test run drops databases whose names start with its template's name.
  const name = `${template}_${randomBytes(8).toString('hex')}`;
  // Copying the files takes a quarter of the processor time of writing each page to the log.
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${empty ? 'template1' : template} STRATEGY FILE_COPY`);
  const url = new URL(required('POSTRIDER_TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  // The owner of the tables, to whom no policy applies.
  let db: UnboundDatabase | null = openDatabase(url.href, { ...options, poolSize }) as UnboundDatabase;
  return {
    url: url.href,
    urlFor(role) {
      const restricted = new URL(url);
      restricted.username = `${role}_local`;
      restricted.password = required('POSTRIDER_TEST_ROLE_PASSWORD');
      return restricted.href;
    },
    get db() {
      if (!db) throw new Error('the database has been dropped');
      return db;
    },
    drop: async () => {
      await db?.$disconnect();
      // Test files keep their databases in variables of modules, which stay loaded.
      db = null;
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/**
 * The Redis of this run, which may be a Cluster or behind Sentinel. It is shared, so every test file must use its own
 * key prefix.
 */
export function testRedisUrl(): string {
  return required('POSTRIDER_TEST_REDIS_URL');
}

/**
 * A single Redis server, for tests that need one address, for example for a proxy. It is the server of `testRedisUrl` if
 * that is a single one, otherwise a separate one.
 */
export function singleRedisServerUrl(): string {
  return required('POSTRIDER_TEST_SINGLE_REDIS_URL');
}

/**
 * Applies the migrations up to and including `last`, for tests that need the schema of an earlier release. Leaves out what
 * `migrate` does after the migrations.
 */
export async function migrateUntil(databaseUrl: string, last: string): Promise<void> {
  await withMigrationLock(databaseUrl, (client) => applyMigrations(client, { until: last }));
}
