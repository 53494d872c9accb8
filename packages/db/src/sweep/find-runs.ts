import { type ChannelKind, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import type { RunToEnqueue } from '../accept/types.ts';
import { Prisma, type UnboundDatabase } from '../client.ts';
import { firstIdAt } from '../first-id-at.ts';
import { HAS_LIMITS, WAITING, WAITING_CHANNELS } from '../run-statuses.ts';

/** A run that is due and unclaimed. */
export interface OverdueRun extends RunToEnqueue {
  readonly channelId: string;
  /** Milliseconds since it was due, by the database's clock. */
  readonly overdueMs: number;
}

/** A position in the order of waiting runs: by due time, then by id. */
export interface RunCursor {
  /** RFC 3339 with PostgreSQL's microseconds, which a Date would lose. */
  readonly dueAt: string;
  readonly runId: string;
}

interface RunRow {
  id: string;
  channel_id: string;
  channel_kind: ChannelKind;
  attempt_count: number;
  due_in_ms: number;
  due_at_text: string;
}

const toRun = (row: RunRow): RunToEnqueue => ({
  runId: row.id,
  channelKind: row.channel_kind,
  attempt: row.attempt_count + 1,
  delayMs: Math.max(0, Math.ceil(row.due_in_ms)),
});

const DUE_COLUMNS = Prisma.sql`
           (extract(epoch FROM run.due_at - now()) * 1000)::float8 AS due_in_ms,
           to_char(run.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS due_at_text`;

/**
 * SQL of `run`: up to `limit` waiting runs of the channel `waiting.channel_id` that match the condition, oldest first. Through
 * {@link WAITING_CHANNELS} a search costs a look-up per channel and not per waiting run: a channel with a million overdue runs
 * neither slows it nor hides the runs of others.
 */
const firstOfChannel = (condition: Prisma.Sql, limit: number) => Prisma.sql`(
       SELECT first.*, row_number() OVER (ORDER BY due_at, id) AS place FROM (
         SELECT id, attempt_count, due_at FROM delivery_runs
          WHERE channel_id = waiting.channel_id AND completed_at IS NULL AND status IN ${WAITING} AND ${condition}
          ORDER BY due_at, id LIMIT ${limit}) first) run`;

/** The most runs of a kind that one search returns. */
export interface KindPage {
  readonly kind: ChannelKind;
  readonly limit: number;
}

/**
 * Waiting runs of the given kinds that have been due for at least `graceMs`, without those of the channels left out. Of each
 * kind the oldest of every channel first, then the second of every channel, so that the limit cuts off the rest of
 * long backlogs and never a channel. One search for all kinds, because it visits every channel with waiting runs. Runs in
 * quarantine are left out, because they have no jobs, and those of channels with limits, because they wait on purpose: see
 * `findWaitingLimited`.
 */
export async function findOverdueRuns(
  db: UnboundDatabase,
  {
    kinds,
    withoutChannels,
    graceMs,
    perChannel,
  }: {
    kinds: readonly KindPage[];
    withoutChannels: readonly string[];
    graceMs: number;
    perChannel: number;
  },
): Promise<OverdueRun[]> {
  const rows = await db.$queryRaw<RunRow[]>`
    ${WAITING_CHANNELS}, page AS MATERIALIZED (
      SELECT * FROM unnest(${kinds.map(({ kind }) => kind)}::text[], ${kinds.map(({ limit }) => limit)}::int[])
        AS asked (channel_kind, most)
    )
    SELECT * FROM (
      SELECT run.id, waiting.channel_id, waiting.channel_kind, run.attempt_count, page.most,
             ${DUE_COLUMNS},
             row_number() OVER (PARTITION BY waiting.channel_kind ORDER BY run.place, run.due_at) AS rank
        FROM page JOIN waiting USING (channel_kind)
       CROSS JOIN LATERAL ${firstOfChannel(
         Prisma.sql`due_at <= now() - make_interval(secs => ${graceMs}::float8 / 1000)
          AND lost_workers < ${LOSSES_BEFORE_QUARANTINE}::int`,
         perChannel,
       )}
       WHERE waiting.channel_id <> ALL (${withoutChannels}::uuid[])
         AND NOT EXISTS (SELECT FROM channels channel WHERE channel.id = waiting.channel_id AND ${HAS_LIMITS})) found
     WHERE rank <= most ORDER BY rank`;
  return rows.map((row) => ({
    ...toRun(row),
    channelId: row.channel_id,
    overdueMs: Math.max(0, -row.due_in_ms),
  }));
}

/** Tests older than this, in seconds, wait like other runs: they no longer show how the channel responds now. */
const TEST_AGE_SECONDS = 3_600;

/**
 * Tests of channels with limits that have been due for `graceMs` and are unclaimed, because their jobs are lost. Unlike other
 * runs of these channels they need not wait for the limits. It reads the tests of the last hour in their environments.
 */
export async function findOverdueTests(
  db: UnboundDatabase,
  { limit, graceMs }: { readonly limit: number; readonly graceMs: number },
): Promise<OverdueRun[]> {
  const rows = await db.$queryRaw<
    { id: string; channel_id: string; channel_kind: ChannelKind; attempt_count: number; overdue_ms: number }[]
  >`
    SELECT run.id, run.channel_id, run.channel_kind, run.attempt_count,
           (extract(epoch FROM now() - run.due_at) * 1000)::float8 AS overdue_ms
      FROM channels channel
      JOIN messages message ON message.environment_id = channel.environment_id AND message.test
       AND message.id >= ${firstIdAt(Prisma.sql`extract(epoch FROM now()) * 1000 - ${TEST_AGE_SECONDS * 1_000}::int`)}
      JOIN delivery_runs run ON run.environment_id = message.environment_id AND run.message_id = message.id
       AND run.channel_id = channel.id
     WHERE ${HAS_LIMITS} AND channel.deleted_at IS NULL AND run.completed_at IS NULL AND run.status IN ${WAITING}
       AND run.lost_workers < ${LOSSES_BEFORE_QUARANTINE}::int
       AND run.due_at <= now() - make_interval(secs => ${graceMs}::float8 / 1000)
     ORDER BY run.due_at LIMIT ${limit}`;
  return rows.map((row) => ({
    runId: row.id,
    channelId: row.channel_id,
    channelKind: row.channel_kind,
    attempt: row.attempt_count + 1,
    delayMs: 0,
    overdueMs: row.overdue_ms,
  }));
}

/**
 * A page of the waiting runs that are due within `toMs` from now, in the order of their due time, after `after` (a
 * cursor, or milliseconds from now). Runs that became due since the cursor was created are left to {@link
 * findOverdueRuns}. `next` is the cursor of the next page, or null.
 */
export async function findUpcomingRuns(
  db: UnboundDatabase,
  { after, toMs, limit }: { after: RunCursor | number; toMs: number; limit: number },
): Promise<{ runs: RunToEnqueue[]; next: RunCursor | null }> {
  // The second condition follows from the third, but the index can use it as its start.
  const isBehind =
    typeof after === 'number'
      ? Prisma.sql`due_at > now() + make_interval(secs => ${after}::float8 / 1000)`
      : Prisma.sql`due_at > now() AND due_at >= ${after.dueAt}::timestamptz
          AND (due_at, id) > (${after.dueAt}::timestamptz, ${after.runId}::uuid)`;
  const rows = await db.$queryRaw<RunRow[]>`
    ${WAITING_CHANNELS}
    SELECT run.id, waiting.channel_id, waiting.channel_kind, run.attempt_count, ${DUE_COLUMNS}
      FROM waiting
     CROSS JOIN LATERAL ${firstOfChannel(
       Prisma.sql`${isBehind} AND due_at <= now() + make_interval(secs => ${toMs}::float8 / 1000)`,
       limit,
     )}
     ORDER BY run.due_at, run.id LIMIT ${limit}`;
  const last = rows.at(-1);
  const next = last && rows.length === limit ? { dueAt: last.due_at_text, runId: last.id } : null;
  return { runs: rows.map(toRun), next };
}
