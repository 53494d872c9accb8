/**
 * Whether a PostgreSQL URL says, by `pgbouncer=true`, that its connections are lent by PgBouncer in
 * transaction mode: then nothing may be left in a session, and what needs one goes another way.
 */
export function isPooledDatabase(databaseUrl: string): boolean {
  return new URL(databaseUrl).searchParams.get('pgbouncer') === 'true';
}
