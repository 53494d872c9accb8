import { randomBytes } from 'node:crypto';
import { type AppRole, migrate } from '@postrider/db';
import { ensureAppRoles, urlForRole } from '@postrider/local-stack/testing';
import { Redis } from 'ioredis';
import { Client } from 'pg';

/** The server's settings that decide whether a commit is durable. */
type Durability = Readonly<Record<'fsync' | 'synchronous_commit' | 'full_page_writes', string>>;

export interface DatabaseServer {
  readonly version: string;
  readonly durability: Durability;
  /** The URL of a database for a process that does not own its tables. */
  restrict(url: string, role: AppRole): string;
  /** Creates a migrated, empty database and returns its URL. */
  create(): Promise<string>;
  /** Removes a database and closes its connections. */
  drop(url: string): Promise<void>;
}

/** Runs work on one connection without the service's time limits. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const TEMPLATE = 'bench_template';
/** The password of the login roles, on a local server that ends with the run. */
const PASSWORD = 'bench';

const urlOf = (serverUrl: string, name: string) => {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

async function show(client: Client, setting: string): Promise<string> {
  const { rows } = await client.query('SELECT current_setting($1) AS value', [setting]);
  return rows[0].value;
}

/** Migrates a template on the server and reads its version and settings. Throws if the server may lose commits. */
export async function openDatabaseServer(serverUrl: string): Promise<DatabaseServer> {
  const { version, durability } = await withClient(serverUrl, async (client) => {
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
    return {
      version: await show(client, 'server_version'),
      durability: {
        fsync: await show(client, 'fsync'),
        synchronous_commit: await show(client, 'synchronous_commit'),
        full_page_writes: await show(client, 'full_page_writes'),
      },
    };
  });
  const off = Object.entries(durability).filter(([, value]) => value !== 'on');
  if (off.length > 0) throw new Error(`Postgres must keep what it commits: ${JSON.stringify(durability)}`);
  await ensureAppRoles(serverUrl, PASSWORD);
  await migrate(urlOf(serverUrl, TEMPLATE));
  return {
    version,
    durability,
    restrict: (databaseUrl, role) => urlForRole(databaseUrl, role, PASSWORD),
    create: () =>
      withClient(serverUrl, async (client) => {
        const name = `bench_${randomBytes(6).toString('hex')}`;
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
        return urlOf(serverUrl, name);
      }),
    drop: (url) =>
      withClient(serverUrl, async (client) => {
        await client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
      }),
  };
}

/** How many events of a run the database has. */
interface StoredEvents {
  readonly messages: number;
  readonly waiting: number;
  readonly failed: number;
  readonly unknownAttempts: number;
}

/** Counts the messages accepted since `since` by the database's clock, and their runs by status. */
export async function countStored(databaseUrl: string, since: string): Promise<StoredEvents> {
  return withClient(databaseUrl, async (client) => {
    const count = async (sql: string) => Number((await client.query(sql, [since])).rows[0].count);
    return {
      messages: await count('SELECT count(*) FROM messages WHERE created_at >= $1'),
      waiting: await count(
        `SELECT count(*) FROM delivery_runs
          WHERE created_at >= $1 AND status NOT IN ('succeeded', 'failed', 'cancelled')`,
      ),
      failed: await count(
        "SELECT count(*) FROM delivery_runs WHERE created_at >= $1 AND status IN ('failed', 'cancelled')",
      ),
      unknownAttempts: await count(
        "SELECT count(*) FROM attempts WHERE started_at >= $1 AND status = 'unknown'",
      ),
    };
  });
}

/** Whether any run has not ended. A partial index keeps this fast when the table grows. */
export async function hasOpenRuns(client: Client): Promise<boolean> {
  const { rows } = await client.query(`
    SELECT EXISTS (
      SELECT FROM delivery_runs WHERE completed_at IS NULL ORDER BY channel_id, due_at LIMIT 1) AS open`);
  return rows[0].open;
}

/** The time by the database's clock, rounded to milliseconds as in its rows. */
export async function databaseTime(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT date_trunc('milliseconds', clock_timestamp())::text AS now");
    return rows[0].now;
  });
}

const SCAN_COUNT = 1_000;

/** Bytes of a database on disk, with indexes and everything else. */
export async function databaseBytes(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
    return Number(rows[0].bytes);
  });
}

/**
 * Bytes of all keys of a Redis database with their values (MEMORY USAGE). Unlike the server's total, this does not
 * change with connections and buffers.
 */
export async function redisBytes(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl);
  try {
    let bytes = 0;
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'COUNT', SCAN_COUNT);
      const usage = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
      bytes += usage.reduce<number>((sum, each) => sum + (each ?? 0), 0);
      cursor = next;
    } while (cursor !== '0');
    return bytes;
  } finally {
    redis.disconnect();
  }
}

/** Open connections to a Redis database, without the one that asks. */
export async function redisConnections(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl);
  try {
    const { db, id } = { db: redis.options.db ?? 0, id: await redis.client('ID') };
    const lines = String(await redis.client('LIST')).split('\n');
    const fields = lines.map((line) => new Set(line.split(' ')));
    return fields.filter((line) => line.has(`db=${db}`) && !line.has(`id=${id}`)).length;
  } finally {
    redis.disconnect();
  }
}
