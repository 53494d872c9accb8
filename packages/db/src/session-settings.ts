import { changeDatabaseParameters, isPooledDatabase } from '@postrider/domain';
import type { Database } from './client.ts';
import { databaseErrorCodes, describeOutage } from './database-errors.ts';
import { FOREIGN_SESSION } from './pool.ts';

/**
 * Settings of every session. PostgreSQL ends a statement after 10 s, and an idle transaction after 3 s, because a
 * frozen process must not lock a tenant's row for long. The driver adapter assumes that every time is in UTC, so
 * another time zone would move schedules, and in ISO style, so another one would swap day and month. The statements are
 * made to wait for concurrent ones: in a stricter isolation they fail instead. Every statement of the service uses indexes:
 * without `enable_seqscan = off` a statement prepared while a table was small would read all of it until the next ANALYZE.
 * JIT compilation costs more than such short statements.
 */
const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  default_transaction_isolation: 'read committed',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '3s',
  enable_seqscan: 'off',
  jit: 'off',
} as const;

/**
 * With `off` a commit is confirmed before it is on disk, and a crash of the server loses accepted events. Every other
 * value waits for the server's own disk, and they differ only in what they wait for on standbys (PostgreSQL documentation,
 * section "Write Ahead Log", `synchronous_commit`), which the operator chooses. So only `off` is replaced, which the
 * start of a session cannot do.
 */
const DURABLE_COMMIT = { synchronous_commit: 'on' } as const;
const RAISE_COMMIT = `
  SELECT set_config('synchronous_commit', '${DURABLE_COMMIT.synchronous_commit}', false)
   WHERE current_setting('synchronous_commit') = 'off'`;

const asText = ([name, value]: [string, string]) => `${name} = '${value}'`;

/** Those that PgBouncer keeps for each client. */
const KEPT_BY_POOLERS = ['TimeZone', 'DateStyle'] as const;

/** The settings that PgBouncer's `connect_query` must set, as `name = 'value'`, because it drops these. */
export const CONNECT_QUERY_SETTINGS: readonly string[] = Object.entries(SESSION_SETTINGS)
  .filter(([name]) => !KEPT_BY_POOLERS.some((kept) => kept === name))
  .map(asText);

/** Adds the settings to the URL, because a URL's own `options` would replace those of the driver's configuration. */
function withOptions(databaseUrl: string): string {
  const settings = Object.entries(SESSION_SETTINGS).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  );
  return changeDatabaseParameters(databaseUrl, (parameters) =>
    parameters.set('options', [parameters.get('options'), ...settings].filter(Boolean).join(' ')),
  );
}

/** How connections are opened so that the settings apply. */
interface SessionConfig {
  readonly connectionString: string;
  /** The first statement on each new connection. */
  readonly greeting: string;
}

/**
 * PgBouncer refuses `options`, and in transaction mode only keeps the time zone, the application's name and similar
 * settings of a session. So those of times are set when a connection is opened, and `connect_query` sets the rest (see
 * {@link findSessionWarning}).
 */
export function sessionConfig(databaseUrl: string): SessionConfig {
  if (!isPooledDatabase(databaseUrl)) {
    return { connectionString: withOptions(databaseUrl), greeting: RAISE_COMMIT };
  }
  const connectionString = changeDatabaseParameters(databaseUrl, (parameters) =>
    parameters.delete('pgbouncer'),
  );
  const greeting = KEPT_BY_POOLERS.map((name) => `SET ${asText([name, SESSION_SETTINGS[name]])}`).join('; ');
  return { connectionString, greeting };
}

/** The settings that this client's sessions do not have, as `name = 'value'`. */
async function findMissingSettings(db: Database): Promise<string[]> {
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
const UNDECLARED_POOLER = 'DATABASE_URL is the address of a PgBouncer: add pgbouncer=true';

/** Whether an error only occurs with a pooler that the URL does not declare by `pgbouncer=true`. */
function isOfUndeclaredPooler(error: unknown): boolean {
  const { message } = (error ?? {}) as { message?: unknown };
  return (
    String(message).includes('unsupported startup parameter') ||
    databaseErrorCodes(error).some((code) => FOREIGN_SESSION.includes(code))
  );
}

/**
 * A warning for operators if sessions of `DATABASE_URL` lack settings, or are refused, because of a pooler or a wrong
 * password. Null if all is well, or if PostgreSQL cannot be reached.
 */
export async function findSessionWarning(db: Database): Promise<string | null> {
  try {
    const missing = await findMissingSettings(db);
    if (missing.length === 0) return null;
    const remedy = 'connect_query of PgBouncer or ALTER ROLE can give';
    const warning = `sessions lack settings, which ${remedy}: ${missing.join(', ')}`;
    // The time zone is set as the URL requires, so it is only missing if a pooler is not declared.
    return missing.includes(ZONE) ? `${UNDECLARED_POOLER}; ${warning}` : warning;
  } catch (error) {
    if (isOfUndeclaredPooler(error)) return UNDECLARED_POOLER;
    const outage = describeOutage(error);
    return outage === null || outage === 'unreachable' ? null : `PostgreSQL cannot be used: ${outage}`;
  }
}
