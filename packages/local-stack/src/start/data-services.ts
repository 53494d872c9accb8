import { join } from 'node:path';
import { openDatabase } from '@postrider/db';
import { startPostgres } from '../postgres/start.ts';
import { startRedis } from '../redis/start.ts';
import type { Lifetime } from './lifetime.ts';

/** The URL of another database on the same server. */
function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The names of the server's databases that start with `prefix`. */
async function listDatabases(serverUrl: string, prefix: string): Promise<string[]> {
  const db = openDatabase(serverUrl, { poolSize: 1 });
  try {
    const rows = await db.$queryRaw<{ datname: string }[]>`
      SELECT datname FROM pg_database WHERE starts_with(datname, ${prefix})`;
    return rows.map((row) => row.datname);
  } finally {
    await db.$disconnect();
  }
}

async function execute(serverUrl: string, statement: string): Promise<void> {
  const db = openDatabase(serverUrl, { poolSize: 1 });
  try {
    await db.$executeRawUnsafe(statement);
  } finally {
    await db.$disconnect();
  }
}

/** Creates the database unless it exists, and returns its URL. `name` must be a plain identifier. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  const present = await listDatabases(serverUrl, name);
  if (!present.includes(name)) await execute(serverUrl, `CREATE DATABASE "${name}"`);
  return databaseUrl(serverUrl, name);
}

/** Removes every database whose name starts with `prefix`, even if it is in use. */
export async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  for (const name of await listDatabases(serverUrl, prefix)) {
    await execute(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
}

export type Say = (line: string) => void;

const DATABASE = 'postrider';

interface Context {
  readonly slotDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly lifetime: Lifetime;
  readonly say: Say;
}

async function ownPostgres({ slotDirectory, lifetime, say }: Context): Promise<string> {
  const wanted = join(slotDirectory, 'postgresql');
  const server = await startPostgres({ directory: wanted });
  lifetime.takeCharge(server.program);
  if (server.directory !== wanted) {
    say(
      `PostgreSQL runs as "${server.accountName}", which cannot enter this checkout: its data is in ${server.directory}`,
    );
  }
  return ensureDatabase(server.url, DATABASE);
}

async function ownRedis({ slotDirectory, lifetime }: Context): Promise<string> {
  const server = await startRedis({ directory: join(slotDirectory, 'redis'), durable: true });
  lifetime.takeCharge(server.program);
  return server.url;
}

/** The URLs of the two stores: those in DATABASE_URL and REDIS_URL, otherwise of servers that it starts. */
export async function startDataServices(
  context: Context,
): Promise<{ databaseUrl: string; redisUrl: string }> {
  const { DATABASE_URL, REDIS_URL } = context.env;
  const [databaseUrl, redisUrl] = await Promise.all([
    DATABASE_URL || ownPostgres(context),
    REDIS_URL || ownRedis(context),
  ]);
  return { databaseUrl, redisUrl };
}
