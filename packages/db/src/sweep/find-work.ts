import type { UnboundDatabase } from '../client.ts';
import { IS_AVAILABLE } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { HAS_LIMITS } from '../statements/limited-runs.ts';
import { EXPIRED_LEASES } from '../statements/release-leases.ts';
import { IS_UNSEQUENCED } from '../statements/turns.ts';

/**
 * Where sweeps find work, by the share of their connections: `sweep` for those without which due runs would wait. SQL after `FROM`;
 * if none of the searches of a sweep finds a row, its round would do nothing. Each reads the first row of an index: the order keeps
 * PostgreSQL from reading a table from its beginning, with the pages of rows that were removed.
 */
const WORK = {
  sweep: {
    leases: [`${EXPIRED_LEASES} ORDER BY attempt.started_at`],
    health: [
      `channel_health WHERE state <> 'ok' OR failing_since IS NOT NULL ORDER BY channel_id`,
      'channel_health WHERE release_rate IS NOT NULL ORDER BY channel_id',
      `delivery_runs WHERE held = 'paused' AND completed_at IS NULL ORDER BY held, channel_id`,
      'stream_pauses WHERE resumed_at IS NOT NULL',
    ],
    ordering: [
      'ordering_ends ORDER BY id',
      `delivery_runs WHERE ${IS_UNSEQUENCED} ORDER BY scheduled_at, id`,
    ],
    limits: [`channels channel WHERE ${HAS_LIMITS.sql} ORDER BY id`],
  },
  housekeep: {
    deletedChannels: ['channels WHERE deleted_at IS NOT NULL AND runs_ended_at IS NULL ORDER BY id'],
    replayBatches: [`replay_batches WHERE ${IS_AVAILABLE.sql}`],
    expiredMessages: ['retention_turn WHERE next_at <= now()'],
    erasures: ['erasures WHERE completed_at IS NULL ORDER BY id'],
    stats: ['stats_deltas ORDER BY id', 'delivery_usage_deltas ORDER BY id'],
    operationalEvents: ['operational_events WHERE dispatched_at IS NULL ORDER BY environment_id, id'],
    auditChain: ['audit_unchained ORDER BY entry_id'],
  },
} as const;

/** The sweeps that {@link findWork} knows, by their shares. */
type Work = typeof WORK;
export type SweepWithSearch = keyof Work['sweep'] | keyof Work['housekeep'];

/**
 * One statement for all sweeps of a share. PostgreSQL carries out only the searches of those in `asked`. It does not see these when it
 * plans: otherwise a plan for few would look cheaper than the generic one, and it would plan the statement for every execution.
 */
const defineSearch = (searches: Readonly<Record<string, readonly string[]>>) =>
  defineStatement<{ readonly asked: readonly string[] }, { readonly found: string[] }>({
    text: `
    SELECT array_remove(ARRAY[${Object.entries(searches).map(
      ([sweep, rows]) => `
      CASE WHEN '${sweep}' = ANY ((SELECT :asked::text[])::text[])
                AND (${rows.map((row) => `(SELECT true FROM ${row} LIMIT 1)`).join(' OR ')}) THEN '${sweep}' END`,
    )}], NULL) AS found`,
  });

const SEARCHES = { sweep: defineSearch(WORK.sweep), housekeep: defineSearch(WORK.housekeep) };

/** The share of the connections of a sweep. */
export const shareOfSweep = (sweep: string): keyof Work => (sweep in WORK.sweep ? 'sweep' : 'housekeep');

/** Whether {@link findWork} searches for the work of a sweep. */
export const hasSearch = (sweep: string): boolean => sweep in WORK.sweep || sweep in WORK.housekeep;

/** Returns the sweeps of a share that have work, and all that have no search. */
export async function findWork<Sweep extends string>(
  db: UnboundDatabase,
  share: keyof Work,
  sweeps: readonly Sweep[],
): Promise<Sweep[]> {
  const asked = sweeps.filter(hasSearch);
  const [row] = asked.length === 0 ? [] : await SEARCHES[share](db, { asked });
  return sweeps.filter((sweep) => !hasSearch(sweep) || row?.found.includes(sweep));
}
