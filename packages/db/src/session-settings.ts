import { isPooledDatabase } from '@postrider/domain';
import type { Database } from './client.ts';
import { FOREIGN_SESSION } from './connection-stream.ts';
import { databaseErrorCodes } from './database-errors.ts';

/**
 * Of every session. Postgres ends a statement after 10 s, and a transaction in which nothing happens after 3:
 * a frozen process must not hold a tenant's row for long. The driver adapter takes every time to be in UTC,
 * whatever offset Postgres writes, so that another zone would move schedules. Every statement of the service
 * finds its rows by an index: a prepared one that was planned while a table was small would otherwise read
 * all of it, however much it grows, until the next ANALYZE. Compiling such short statements costs more than
 * they do.
 */
const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '3s',
  enable_seqscan: 'off',
  jit: 'off',
} as const;

/**
 * With `off` a commit is confirmed before it is on disk, and a crash of the server loses events that were accepted. Every
 * other value waits for the server's own disk (PostgreSQL documentation, section "Write Ahead Log", `synchronous_commit`,
 * table "synchronous_commit Modes") and differs in what it waits for on standbys alone, which is for whoever operates
 * them to choose: `remote_apply` is more than `on`, `local` and `remote_write` are less. So only `off` is replaced, which
 * what is sent with the start of a session cannot do.
 */
const DURABLE_COMMIT = { synchronous_commit: 'on' } as const;
const RAISE_COMMIT = `
  SELECT set_config('synchronous_commit', '${DURABLE_COMMIT.synchronous_commit}', false)
   WHERE current_setting('synchronous_commit') = 'off'`;

const asText = ([name, value]: [string, string]) => `${name} = '${value}'`;

/** As `name = 'value'`, the settings that PgBouncer's `connect_query` has to give: it loses these. */
export const CONNECT_QUERY_SETTINGS: readonly string[] = Object.entries(SESSION_SETTINGS)
  .filter(([name]) => name !== 'TimeZone')
  .map(asText);

/** Through the URL, because a URL's own `options` would replace those of the driver's configuration. */
function withOptions(url: URL): string {
  const settings = Object.entries(SESSION_SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', [url.searchParams.get('options'), ...settings].filter(Boolean).join(' '));
  return url.href;
}

/** How connections are opened so that the settings hold. */
interface SessionConfig {
  readonly connectionString: string;
  /** The first statement on each new connection. */
  readonly greeting: string;
}

/**
 * PgBouncer refuses `options`, and in transaction mode keeps nothing of a session but the time zone, the
 * application's name and the like: so that the zone is set when a connection is opened, and the rest is left
 * to its `connect_query` (see {@link findSessionWarning}).
 */
export function sessionConfig(databaseUrl: string): SessionConfig {
  const url = new URL(databaseUrl);
  if (!isPooledDatabase(databaseUrl)) return { connectionString: withOptions(url), greeting: RAISE_COMMIT };
  url.searchParams.delete('pgbouncer');
  return { connectionString: url.href, greeting: `SET TimeZone = '${SESSION_SETTINGS.TimeZone}'` };
}

/** As `name = 'value'`, the settings that do not hold for this client's sessions. */
async function findLooseSettings(db: Database): Promise<string[]> {
  const wanted = { ...SESSION_SETTINGS, ...DURABLE_COMMIT };
  const found = await db.$queryRaw<{ name: string; holds: boolean }[]>`
    SELECT name, CASE WHEN name = 'synchronous_commit' THEN setting <> 'off'
                      WHEN unit = 'ms' THEN setting::bigint BETWEEN 1 AND extract(epoch FROM wanted::interval) * 1000
                      ELSE setting = wanted END AS holds
    FROM jsonb_each_text(${JSON.stringify(wanted)}::jsonb) AS meant(name, wanted)
    JOIN pg_settings USING (name)`;
  return Object.entries(wanted)
    .filter(([name]) => found.find((row) => row.name === name)?.holds !== true)
    .map(asText);
}

const ZONE = asText(['TimeZone', SESSION_SETTINGS.TimeZone]);
const UNDECLARED_POOLER = 'DATABASE_URL leads to PgBouncer and does not say so: add pgbouncer=true';

/** Whether an error is one that only a pooler makes of what is sent without `pgbouncer=true`. */
function isOfUndeclaredPooler(error: unknown): boolean {
  const { message } = (error ?? {}) as { message?: unknown };
  return (
    String(message).includes('unsupported startup parameter') ||
    databaseErrorCodes(error).some((code) => FOREIGN_SESSION.includes(code))
  );
}

/**
 * What is wrong with the sessions that `DATABASE_URL` gives, for whoever operates the service: by way of a
 * pooler they may lack settings, or be refused. Null when all is well, and when Postgres cannot be asked.
 */
export async function findSessionWarning(db: Database): Promise<string | null> {
  try {
    const loose = await findLooseSettings(db);
    if (loose.length === 0) return null;
    const remedy = 'connect_query of PgBouncer or ALTER ROLE can give';
    const lack = `sessions lack settings, which ${remedy}: ${loose.join(', ')}`;
    // Every connection is given the zone in the way that its URL asks for.
    return loose.includes(ZONE) ? `${UNDECLARED_POOLER}; ${lack}` : lack;
  } catch (error) {
    return isOfUndeclaredPooler(error) ? UNDECLARED_POOLER : null;
  }
}
