import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type Database, openDatabase } from '../client.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Disconnects and removes the database, with whatever connections are still open to it. */
  readonly drop: () => Promise<void>;
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with "npm test -- <jest arguments>"`);
  return value;
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: required('POSTRIDER_TEST_DATABASE_URL') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a migrated database of its own without rows, a clone of the run's template; with `empty` one without a schema. */
export async function createTestDatabase({
  poolSize = 10,
  empty = false,
}: {
  poolSize?: number;
  empty?: boolean;
} = {}): Promise<TestDatabase> {
  const template = required('POSTRIDER_TEST_TEMPLATE');
  // The test run removes what is left of databases that begin with its template's name.
  const name = `${template}_${randomBytes(8).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${empty ? 'template1' : template}`);
  const url = new URL(required('POSTRIDER_TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  const db = openDatabase(url.href, { poolSize });
  return {
    url: url.href,
    db,
    drop: async () => {
      await db.$disconnect();
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/**
 * The Redis of this run, which may be a Cluster or behind Sentinel; shared, so that every test file must use
 * a key prefix of its own.
 */
export function testRedisUrl(): string {
  return required('POSTRIDER_TEST_REDIS_URL');
}

/**
 * A plain Redis server, for tests that are about one server: of its address, of a proxy before it. The one of
 * `testRedisUrl` when that is plain, else another one that knows nothing of it.
 */
export function singleRedisServerUrl(): string {
  return required('POSTRIDER_TEST_SINGLE_REDIS_URL');
}
