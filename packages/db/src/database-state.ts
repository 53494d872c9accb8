import { listMigrations } from './apply-migrations.ts';
import type { Database } from './client.ts';
import { describeOutage, isTableMissing } from './database-errors.ts';

/** Whether a process can do its work with its database. */
interface DatabaseState {
  /** Why it cannot be used or written, for operators; null if it can. */
  readonly problem: string | null;
  /** How many migrations it lacks; null if that is unknown. */
  readonly pending: number | null;
}

/** The sessions whose commits waited for a standby at the last read. */
const waitedBefore = new WeakMap<Database, ReadonlySet<string>>();

/**
 * Reads the state. It never rejects. A full disk shows only when something is written. Reads do not show that commits wait for
 * a synchronous standby; a session of this role that has waited for 5 s does. PostgreSQL only tells when its statement began, so
 * two reads must see it wait.
 */
export async function readDatabaseState(db: Database): Promise<DatabaseState> {
  try {
    const [state] = await db.$queryRaw<{ mode: string; waiting: string[]; applied: string[] }[]>`
      SELECT current_setting('transaction_read_only') AS mode,
             ARRAY(SELECT concat_ws(' ', pid, state_change) FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event = 'SyncRep'
                      AND state_change < clock_timestamp() - interval '5 s') AS waiting,
             ARRAY(SELECT migration_name::text FROM _prisma_migrations
                    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS applied`;
    const applied = new Set(state?.applied);
    const pending = (await listMigrations()).filter((name) => !applied.has(name));
    const waiting = new Set(state?.waiting);
    const isStuck = [...waiting].some((session) => waitedBefore.get(db)?.has(session));
    waitedBefore.set(db, waiting);
    const problem = state?.mode === 'on' ? 'read-only' : isStuck ? 'no synchronous standby' : null;
    return { problem, pending: pending.length };
  } catch (error) {
    // Only a database without any migration lacks a table that this statement names.
    if (isTableMissing(error)) return { problem: null, pending: (await listMigrations()).length };
    return { problem: describeOutage(error) ?? 'unreachable', pending: null };
  }
}
