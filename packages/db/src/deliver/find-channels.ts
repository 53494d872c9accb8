import { type ChannelKind, LOSSES_BEFORE_QUARANTINE, type RunRoute } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import { acrossEnvironments, type Database, Prisma, type Queryable } from '../client.ts';
import { WAITING } from '../run-statuses.ts';
import { queryRows } from '../statement.ts';

export interface RunChannel {
  readonly channelId: string;
  readonly kind: ChannelKind;
}

/** The properties of a run that decide what to reserve before it is claimed. */
export interface RunToDeliver extends RunChannel, RunRoute {
  readonly runId: string;
}

/**
 * Finds the channel of a run, so that what it needs can be reserved before it is claimed. Null for a run that nobody
 * may claim: unknown, running or ended.
 */
export type FindRunToDeliver = (runId: string) => Promise<RunToDeliver | null>;

interface RunRow {
  id: string;
  environment_id: string;
  channel_id: string;
  channel_kind: ChannelKind;
  rendered_for: string | null;
}

const toRun = (row: RunRow): RunToDeliver => ({
  runId: row.id,
  environmentId: row.environment_id,
  channelId: row.channel_id,
  kind: row.channel_kind,
  renderedFor: row.rendered_for,
});

/** Waiting runs with what is reserved for them. */
const waitingRuns = (db: Queryable, which: Prisma.Sql) =>
  queryRows<RunRow>(
    db,
    Prisma.sql`
      SELECT run.id, run.environment_id, run.channel_id, run.channel_kind, environment.tenant_id AS rendered_for
        FROM delivery_runs run
        LEFT JOIN environments environment
          ON environment.id = run.environment_id AND run.template_version_id IS NOT NULL
       WHERE run.status IN ${WAITING} AND ${which}`,
  );

/**
 * Creates the look-up. Concurrent calls share a query. It works across environments, because a job only names its
 * run; all later steps see only rows of the run's environment.
 */
export function createRunLookup(db: Database): FindRunToDeliver {
  const across = acrossEnvironments(db);
  return createBatcher<string, RunToDeliver | null>(
    async (runIds) => {
      const rows = await waitingRuns(across, Prisma.sql`run.id = ANY(${[...runIds]}::uuid[])`);
      const byId = new Map(rows.map((row) => [row.id, toRun(row)]));
      return runIds.map((runId) => byId.get(runId) ?? null);
    },
    { maxItems: 128, maxInFlight: 1, isItemError: () => false },
  );
}

/**
 * The due runs of one channel, oldest due first, for a channel that could not reserve what its jobs needed. Runs in
 * quarantine are left out, because no ordinary claim takes them.
 */
export async function findDueRunsOfChannel(
  db: Queryable,
  { channelId, limit }: { channelId: string; limit: number },
): Promise<RunToDeliver[]> {
  const rows = await waitingRuns(
    db,
    Prisma.sql`run.channel_id = ${channelId}::uuid AND run.completed_at IS NULL
      AND run.due_at <= now() AND run.lost_workers < ${LOSSES_BEFORE_QUARANTINE}::int
    ORDER BY run.due_at LIMIT ${limit}`,
  );
  return rows.map(toRun);
}

/** The run of this UUID if it waits, also in quarantine; else null. */
export async function findWaitingRun(db: Queryable, runId: string): Promise<RunToDeliver | null> {
  const [row] = await waitingRuns(db, Prisma.sql`run.id = ${runId}::uuid`);
  return row ? toRun(row) : null;
}
