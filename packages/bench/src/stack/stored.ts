import type { Client } from 'pg';
import { withClient } from './databases.ts';

/** What the database knows of the events of a run. */
export interface StoredEvents {
  readonly messages: number;
  readonly waiting: number;
  readonly failed: number;
  readonly unknownAttempts: number;
}

/** Counts the messages accepted since `since`, by the database's clock, and what became of their runs. */
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

/** Whether any run is not at its end. Led by the partial indexes, so that a grown table does not make it slow. */
export async function hasOpenRuns(client: Client): Promise<boolean> {
  const { rows } = await client.query(`
    SELECT EXISTS (SELECT FROM delivery_runs WHERE status IN ('scheduled', 'queued', 'retrying'))
        OR EXISTS (SELECT FROM delivery_runs WHERE status = 'running') AS open`);
  return rows[0].open;
}

/** The database's clock, in the milliseconds in which rows have it. */
export async function databaseTime(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT date_trunc('milliseconds', clock_timestamp())::text AS now");
    return rows[0].now;
  });
}
