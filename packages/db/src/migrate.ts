import { isPooledDatabase } from '@postrider/domain';
import type { Client } from 'pg';
import { applyMigrations, listMigrations, MigrationError, withMigrationLock } from './apply-migrations.ts';
import { openSession } from './database-client.ts';
import { grantRoles } from './grants.ts';

export { MigrationError };

/**
 * Indexes that only the previous release uses. Its statements name statuses, and an index on the status prevents HOT
 * updates of claims (decision 35); its searches for an address use two indexes. A later release removes this list with the
 * migrations that create them.
 */
const SUPERSEDED_INDEXES = [
  'delivery_runs_waiting',
  'delivery_runs_leases',
  'delivery_runs_exceptions',
  'delivery_runs_deferred',
  'delivery_runs_open_replays',
  'delivery_runs_environment_id_created_at_idx',
  'messages_environment_id_recipient_email_id_idx',
  'messages_domain_case',
];

/** Does not block writes. If it is interrupted, the rest of the indexes stay until a call with `finish`. */
async function dropSupersededIndexes(client: Client): Promise<void> {
  for (const name of SUPERSEDED_INDEXES) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
}

/** The indexes that foreign keys look up their parents by, in tables where other indexes begin with the same column. */
const PARENT_INDEXES = ['messages_pkey', 'template_versions_environment_id_id_key'];

/**
 * Makes each of {@link PARENT_INDEXES} the newest index of its table, if the table is empty. A connection plans the look-up of
 * a foreign key once. While the table is empty, all its indexes cost the same and PostgreSQL takes the newest, such as the one
 * by recipient. Each new run would then read the messages of all recipients until the table is analysed. Tables with rows get
 * the right plan without this. If it is interrupted, the next call rebuilds the remaining indexes.
 */
async function rebuildParentIndexes(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; table: string }>(
    `SELECT name, parent.indrelid::regclass::text AS table
       FROM unnest($1::text[]) AS name JOIN pg_index parent ON parent.indexrelid = name::regclass
      WHERE EXISTS (SELECT FROM pg_index other
                     WHERE other.indrelid = parent.indrelid AND other.indexrelid > parent.indexrelid)`,
    [PARENT_INDEXES],
  );
  for (const { name, table } of rows) {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount === 0) await client.query(`REINDEX INDEX CONCURRENTLY "${name}"`);
  }
}

/** An interrupted `REINDEX` leaves an invalid index of one of these names, which every insert maintains. */
async function dropInterruptedRebuilds(client: Client): Promise<void> {
  for (const name of PARENT_INDEXES) {
    for (const suffix of ['ccnew', 'ccold'])
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}_${suffix}"`);
  }
}

/**
 * Statements find the tables by the search path, or in `public`, which Prisma names.
 * @throws MigrationError if new tables would be elsewhere
 */
async function requirePublicSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  const schema = rows[0]?.schema ?? null;
  if (schema === 'public') return;
  const found = schema === null ? 'has no existing schema' : `begins with "${schema}"`;
  throw new MigrationError(`the search_path of this database role ${found}: it must begin with public`);
}

/**
 * Erasures and searches compare addresses in lower case with those that a process has lowered.
 * @throws MigrationError if the database lowers ASCII letters otherwise: with a Turkish collation I becomes a letter without a dot
 */
async function requireAsciiLowerCase(client: Client): Promise<void> {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const { rows } = await client.query<{ lower: string }>('SELECT lower($1::text) AS lower', [letters]);
  if (rows[0]?.lower === letters.toLowerCase()) return;
  throw new MigrationError(
    'the collation of this database does not lower I to i, so addresses would not be found: create the database with another locale, such as C.UTF-8',
  );
}

/**
 * Brings the schema of `databaseUrl` up to date and returns the names of the applied migrations. Idempotent;
 * concurrent calls are serialised by an advisory lock. A migration of several statements is one transaction. One that
 * only has `CREATE INDEX CONCURRENTLY` is not: it blocks no writes, and is continued by the next call if it was
 * interrupted. The roles of the processes, if the server has them, then get their rights, see {@link grantRoles}.
 * A migration waits only briefly for tables that running processes use, and is repeated until it gets them. After
 * five minutes this throws a `MigrationError`, and the next call applies the migration. Throws for a URL of
 * PgBouncer, because the lock needs a session, for a search path that does not begin with `public`, and for a collation
 * that lowers ASCII letters to others.
 * @param finish also drops the indexes that only the previous release uses; for when none of its processes runs any
 * more. In a new database they are dropped at once
 */
export async function migrate(
  databaseUrl: string,
  { finish = false }: { readonly finish?: boolean } = {},
): Promise<string[]> {
  if (isPooledDatabase(databaseUrl)) throw new Error('migrations do not work through PgBouncer');
  const [first = ''] = await listMigrations();
  return withMigrationLock(databaseUrl, async (client) => {
    await requirePublicSchema(client);
    await requireAsciiLowerCase(client);
    const applied = await applyMigrations(client);
    await dropInterruptedRebuilds(client);
    if (finish || applied.includes(first)) await dropSupersededIndexes(client);
    await rebuildParentIndexes(client);
    await grantRoles(client);
    return applied;
  });
}

/** The indexes in this database that only the previous release uses; `migrate` with `finish` drops them. */
export async function supersededIndexes(databaseUrl: string): Promise<string[]> {
  const client = await openSession(databaseUrl);
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
