import { listMigrations } from './apply-migrations.ts';
import type { Database } from './client.ts';
import { describeOutage } from './database-errors.ts';

/** Whether a process can do its work with its database. */
interface DatabaseState {
  /** Why it cannot be used or written, for operators; null if it can. */
  readonly problem: string | null;
  /** How many migrations it lacks; null if that is unknown. */
  readonly pending: number | null;
}

/**
 * Reads the state. It never rejects. A full disk shows only when something is written. Commits that wait for a synchronous
 * standby block statements although everything can be read: a session that waits for 5 s shows it. A role sees its own sessions.
 */
export async function readDatabaseState(db: Database): Promise<DatabaseState> {
  try {
    const [state] = await db.$queryRaw<{ mode: string; stuck: boolean; applied: string[] }[]>`
      SELECT current_setting('transaction_read_only') AS mode,
             EXISTS (SELECT FROM pg_stat_activity
                      WHERE wait_event = 'SyncRep' AND state_change < clock_timestamp() - interval '5 s') AS stuck,
             ARRAY(SELECT migration_name::text FROM _prisma_migrations
                    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS applied`;
    const applied = new Set(state?.applied);
    const pending = (await listMigrations()).filter((name) => !applied.has(name));
    const problem = state?.mode === 'on' ? 'read-only' : state?.stuck ? 'no synchronous standby' : null;
    return { problem, pending: pending.length };
  } catch (error) {
    return { problem: describeOutage(error) ?? 'unreachable', pending: null };
  }
}
