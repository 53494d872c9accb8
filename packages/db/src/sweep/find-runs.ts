import type { ChannelKind } from '@postrider/domain';
import type { RunToEnqueue } from '../accept/types.ts';
import { type Database, Prisma } from '../client.ts';

/** A run whose time has come and that nobody has taken. */
export interface OverdueRun extends RunToEnqueue {
  /** Milliseconds since it fell due, by the database's clock. */
  readonly overdueMs: number;
}

interface RunRow {
  id: string;
  channel_kind: ChannelKind;
  attempt_count: number;
  due_in_ms: number;
}

const toRun = (row: RunRow): OverdueRun => ({
  runId: row.id,
  channelKind: row.channel_kind,
  attempt: row.attempt_count + 1,
  delayMs: Math.max(0, Math.ceil(row.due_in_ms)),
  overdueMs: Math.max(0, -row.due_in_ms),
});

/**
 * Up to `perChannel` waiting runs of every channel that fulfil `condition`. Walks from channel to channel in
 * the index `delivery_runs_waiting` (a loose index scan), so that the cost is per channel and not per waiting
 * run: one channel with a million overdue runs neither slows the search nor hides the runs of the others.
 */
function queryPerChannel(
  db: Database,
  condition: Prisma.Sql,
  { perChannel, limit, order }: { perChannel: number; limit: number; order: Prisma.Sql },
): Promise<RunRow[]> {
  return db.$queryRaw<RunRow[]>`
    WITH RECURSIVE waiting (channel_id) AS (
      (SELECT channel_id FROM delivery_runs WHERE status IN ('scheduled', 'queued', 'retrying')
        ORDER BY channel_id LIMIT 1)
      UNION ALL
      SELECT (SELECT run.channel_id FROM delivery_runs run
               WHERE run.status IN ('scheduled', 'queued', 'retrying') AND run.channel_id > waiting.channel_id
               ORDER BY run.channel_id LIMIT 1)
        FROM waiting WHERE waiting.channel_id IS NOT NULL
    )
    SELECT run.id, run.channel_kind, run.attempt_count,
           (extract(epoch FROM run.due_at - now()) * 1000)::float8 AS due_in_ms
      FROM waiting
     CROSS JOIN LATERAL (
       SELECT first.*, row_number() OVER (ORDER BY due_at) AS place FROM (
         SELECT id, channel_kind, attempt_count, due_at FROM delivery_runs
          WHERE channel_id = waiting.channel_id AND status IN ('scheduled', 'queued', 'retrying') AND ${condition}
          ORDER BY due_at LIMIT ${perChannel}) first) run
     WHERE waiting.channel_id IS NOT NULL
     ORDER BY ${order} LIMIT ${limit}`;
}

/**
 * Waiting runs that have been due for at least `graceMs`: the oldest of every channel first, then the second
 * of every channel, so that the limit cuts off the rest of long backlogs and never a channel.
 */
export async function findOverdueRuns(
  db: Database,
  { graceMs, ...page }: { graceMs: number; perChannel: number; limit: number },
): Promise<OverdueRun[]> {
  const due = Prisma.sql`due_at <= now() - make_interval(secs => ${graceMs}::float8 / 1000)`;
  const order = Prisma.sql`run.place, run.due_at`;
  return (await queryPerChannel(db, due, { ...page, order })).map(toRun);
}

/**
 * Waiting runs that fall due between `fromMs` and `toMs` from now: those that have come within the horizon of
 * the queue.
 */
export async function findUpcomingRuns(
  db: Database,
  { fromMs, toMs, ...page }: { fromMs: number; toMs: number; perChannel: number; limit: number },
): Promise<RunToEnqueue[]> {
  const upcoming = Prisma.sql`due_at > now() + make_interval(secs => ${fromMs}::float8 / 1000)
    AND due_at <= now() + make_interval(secs => ${toMs}::float8 / 1000)`;
  const order = Prisma.sql`run.due_at`;
  return (await queryPerChannel(db, upcoming, { ...page, order })).map(toRun);
}
