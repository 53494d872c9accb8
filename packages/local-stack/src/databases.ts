import { openDatabase } from '@postrider/db';

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The names of the server's databases that begin with `prefix`. */
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

/** Creates the database unless it is there; returns its URL. `name` must be a plain identifier. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  const present = await listDatabases(serverUrl, name);
  if (!present.includes(name)) await execute(serverUrl, `CREATE DATABASE "${name}"`);
  return databaseUrl(serverUrl, name);
}

/** Removes every database whose name begins with `prefix`, also those still in use. */
export async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  for (const name of await listDatabases(serverUrl, prefix)) {
    await execute(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
}
