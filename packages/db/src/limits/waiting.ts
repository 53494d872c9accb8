import {
  type AttemptErrorCode,
  DEFAULT_FAILURE_POLICY,
  expectedAtMs,
  type IdSource,
  LOSSES_BEFORE_QUARANTINE,
} from '@postrider/domain';
import { Prisma, type Queryable, type UnboundDatabase } from '../client.ts';
import { endWaitingRuns } from '../end-waiting-runs.ts';
import { HAS_LIMITS, WAITING } from '../run-statuses.ts';
import { presentSince } from './presence.ts';

/** Runs ended per transaction. */
const EXPIRE_BATCH = 500;
const EXPIRED: AttemptErrorCode = 'expired';
const WAITED_TOO_LONG =
  'The run waited for the limits of its channel for longer than the failure policy of the channel allows.';

const DUE = Prisma.sql`run.completed_at IS NULL AND run.status IN ${WAITING} AND run.due_at <= now()`;
const maxAge = Prisma.sql`COALESCE((channel.failure_policy ->> 'max_age')::float8, ${DEFAULT_FAILURE_POLICY.max_age}::float8)`;

/** A channel with limits whose oldest run has waited too long. */
interface ExpiredLimited {
  readonly channelId: string;
  readonly maxAgeSeconds: number;
}

/**
 * The next `limit` channels with limits after `after`, by id, whose oldest run has waited too long. Reads one run of each
 * channel with limits, no matter how many wait.
 */
export async function findExpiredLimited(
  db: UnboundDatabase,
  { limit, after }: { readonly limit: number; readonly after: string | null },
): Promise<ExpiredLimited[]> {
  const rows = await db.$queryRaw<{ id: string; max_age: number }[]>`
    SELECT channel.id, ${maxAge} AS max_age
      FROM channels channel
     CROSS JOIN LATERAL (
       SELECT run.due_at FROM delivery_runs run
        WHERE run.channel_id = channel.id AND ${DUE} AND run.lost_workers < ${LOSSES_BEFORE_QUARANTINE}::int
        ORDER BY run.due_at LIMIT 1) oldest
     WHERE ${HAS_LIMITS} AND channel.deleted_at IS NULL
       AND channel.id > COALESCE(${after}::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
       AND oldest.due_at <= now() - make_interval(secs => ${maxAge}) AND oldest.due_at <= ${presentSince(maxAge)}
     ORDER BY channel.id LIMIT ${limit}`;
  return rows.map(({ id, max_age }) => ({ channelId: id, maxAgeSeconds: max_age }));
}

/**
 * Ends runs that have waited too long since they were due, oldest first. Returns how many, at most a batch. Only time
 * with workers counts: otherwise a run waits for workers, not for the limits.
 */
export function expireLimitedRuns(
  { db, newId }: { readonly db: UnboundDatabase; readonly newId: IdSource },
  { channelId, maxAgeSeconds }: ExpiredLimited,
): Promise<number> {
  return endWaitingRuns(db, newId, {
    which: Prisma.sql`channel_id = ${channelId}::uuid AND completed_at IS NULL
      AND due_at <= ${presentSince(Prisma.sql`${maxAgeSeconds}::float8`)} ORDER BY due_at`,
    limit: EXPIRE_BATCH,
    nextStatus: Prisma.sql`'failed'`,
    attempt: { status: 'failed', errorCode: EXPIRED, errorMessage: WAITED_TOO_LONG },
  });
}

/** How many due runs of the whole service wait for the limits of their channels, counted up to `limit`. */
export async function countLimitedRuns(db: UnboundDatabase, limit: number): Promise<number> {
  const [row] = await db.$queryRaw<{ runs: number }[]>`
    SELECT count(*)::int AS runs FROM (
      SELECT FROM channels channel
       CROSS JOIN LATERAL (
         SELECT FROM delivery_runs run WHERE run.channel_id = channel.id AND ${DUE} LIMIT ${limit}) due
       WHERE ${HAS_LIMITS} LIMIT ${limit}) counted`;
  return row?.runs ?? 0;
}

/** The most runs that are counted before another one. Beyond that its time is unknown. */
const MAX_COUNTED_AHEAD = 10_000;
/** The most that one read counts for all of its runs, each with an equal share: a page has a hundred runs. */
const MAX_COUNTED_TOGETHER = 50_000;

/** The place of a run that waits for the limits of its channel. */
export interface RunQueue {
  /** Runs of its channel that are due before it, counted up to {@link MAX_COUNTED_AHEAD}, or less if many are read together. */
  readonly ahead: number;
  /** When its channel's rate allows it, if no earlier run is delayed; null if that is unknown. */
  readonly expectedAt: Date | null;
}

/** The places of those runs that wait for the limits of their channels, by UUID. Other runs are left out. */
export async function readQueues(
  db: Queryable,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunQueue>> {
  if (runIds.length === 0) return new Map();
  const most = Math.min(MAX_COUNTED_AHEAD, Math.floor(MAX_COUNTED_TOGETHER / runIds.length));
  const rows = await db.$queryRaw<
    { id: string; ahead: number; max_per_second: number | null; rate_state: number | null; now_ms: number }[]
  >`
    SELECT run.id, channel.max_per_second, state.rate_state, before.ahead,
           floor(extract(epoch FROM now()) * 1000)::float8 AS now_ms
      FROM delivery_runs run
      JOIN channels channel ON channel.id = run.channel_id AND ${HAS_LIMITS} AND NOT channel.paused
      LEFT JOIN channel_limit_states state ON state.channel_id = channel.id
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS ahead FROM (
         SELECT FROM delivery_runs other
          WHERE other.channel_id = run.channel_id AND other.completed_at IS NULL
            AND other.status IN ${WAITING} AND other.due_at < run.due_at
          LIMIT ${most}) counted) before
     WHERE run.id = ANY (${[...runIds]}::uuid[]) AND ${DUE}`;
  return new Map(
    rows.map(({ id, ahead, ...row }) => {
      const { max_per_second: maxPerSecond, rate_state: rateState, now_ms: nowMs } = row;
      const atMs = ahead < most ? expectedAtMs({ maxPerSecond, rateState, nowMs }, ahead) : null;
      return [id, { ahead, expectedAt: atMs === null ? null : new Date(atMs) }];
    }),
  );
}
