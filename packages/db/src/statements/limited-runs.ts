import { expectedAtMs, type IdSource, type LimitState, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import { Prisma, type Queryable, type UnboundDatabase } from '../client.ts';
import type { PageRequest } from '../pages.ts';
import { IS_WAITING, isWaiting } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { defineEnding, MAX_AGE } from './end-waiting-runs.ts';

/** A condition on `channel`: its runs are claimed within limits. It is the predicate of the index `channels_limited`. */
export const HAS_LIMITS: Prisma.Sql = Prisma.raw(
  `(channel.max_per_second IS NOT NULL OR channel.max_in_flight IS NOT NULL)`,
);

/** Runs ended per transaction. */
const EXPIRE_BATCH = 500;
const WAITED_TOO_LONG =
  'The run waited for the limits of its channel longer than the failure policy of the channel allows.';

const DUE = `${IS_WAITING} AND run.due_at <= now()`;

/**
 * SQL for the time since which there were workers for `seconds` (SQL) in total; null if there were workers for less. A
 * run that was due before it could have been claimed for that long, despite any outages since.
 */
const presentSince = (seconds: string) => `(
    SELECT seen_at - make_interval(secs => ${seconds} - later) FROM (
      SELECT began_at, seen_at, length, sum(length) OVER (ORDER BY began_at DESC) - length AS later FROM (
        SELECT began_at, seen_at, extract(epoch FROM seen_at - began_at)::float8 AS length FROM worker_presence) present) summed
     WHERE later + length >= ${seconds} ORDER BY began_at DESC LIMIT 1)`;

/** If no worker was recorded for longer than this, in seconds, there was none. */
const GAP_SECONDS = 60;
/** How often all workers together extend the current interval at most, in seconds. */
const STEP_SECONDS = 10;
/** How many intervals are kept. Without the older ones, runs wait longer. */
const MAX_INTERVALS = 200;

/** Records that there is a worker. Every worker calls it again and again; it writes every {@link STEP_SECONDS} seconds. */
export async function recordPresence(db: UnboundDatabase): Promise<void> {
  await db.$executeRaw`
    WITH extended AS (
      UPDATE worker_presence SET seen_at = now()
       WHERE began_at = (SELECT max(began_at) FROM worker_presence)
         AND seen_at BETWEEN now() - make_interval(secs => ${GAP_SECONDS}::int)
                         AND now() - make_interval(secs => ${STEP_SECONDS}::int)
    ), forgotten AS (
      DELETE FROM worker_presence WHERE began_at <= (
        SELECT began_at FROM worker_presence ORDER BY began_at DESC OFFSET ${MAX_INTERVALS}::int LIMIT 1)
    )
    INSERT INTO worker_presence (began_at, seen_at)
    SELECT now(), now()
     WHERE NOT EXISTS (
       SELECT FROM worker_presence WHERE seen_at >= now() - make_interval(secs => ${GAP_SECONDS}::int))
    ON CONFLICT (began_at) DO NOTHING`;
}

/** A channel with limits whose oldest run has waited too long. */
interface ExpiredLimited {
  readonly channelId: string;
  readonly maxAgeSeconds: number;
}

/**
 * The next `limit` channels with limits after `after`, by id, whose oldest run has waited too long. Reads one run of each
 * channel with limits, no matter how many wait.
 */
export const findExpiredLimited = defineStatement<PageRequest, ExpiredLimited>({
  text: `
    SELECT channel.id AS "channelId", ${MAX_AGE} AS "maxAgeSeconds"
      FROM channels channel
     CROSS JOIN LATERAL (
       SELECT run.due_at FROM delivery_runs run
        WHERE run.channel_id = channel.id AND ${DUE} AND run.lost_workers < ${LOSSES_BEFORE_QUARANTINE}
        ORDER BY run.due_at LIMIT 1) oldest
     WHERE ${HAS_LIMITS.sql} AND channel.deleted_at IS NULL
       AND channel.id > COALESCE(:after::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
       AND oldest.due_at <= now() - make_interval(secs => ${MAX_AGE}) AND oldest.due_at <= ${presentSince(MAX_AGE)}
     ORDER BY channel.id LIMIT :limit::int`,
});

const endExpired = defineEnding<ExpiredLimited>({
  which: `channel_id = :channelId::uuid AND due_at <= ${presentSince(':maxAgeSeconds::float8')} ORDER BY due_at`,
  isByOpenRuns: true,
  attempt: { status: 'failed', errorCode: 'expired', errorMessage: WAITED_TOO_LONG },
});

/**
 * Ends runs that have waited too long since they were due, oldest first. Returns how many, at most a batch. Only time
 * with workers counts: otherwise a run waits for workers, not for the limits.
 */
export async function expireLimitedRuns(
  { db, newId }: { readonly db: UnboundDatabase; readonly newId: IdSource },
  expired: ExpiredLimited,
): Promise<number> {
  return (await endExpired(db, newId, { ...expired, limit: EXPIRE_BATCH })).length;
}

const count = defineStatement<{ readonly limit: number }, { runs: number }>({
  text: `
    SELECT count(*)::int AS runs FROM (
      SELECT FROM channels channel
       CROSS JOIN LATERAL (
         SELECT FROM delivery_runs run WHERE run.channel_id = channel.id AND ${DUE} LIMIT :limit::int) due
       WHERE ${HAS_LIMITS.sql} LIMIT :limit::int) counted`,
});

/** How many due runs of the whole service wait for the limits of their channels, counted up to `limit`. */
export async function countLimitedRuns(db: UnboundDatabase, limit: number): Promise<number> {
  const [row] = await count(db, { limit });
  return row?.runs ?? 0;
}

/** The most runs that are counted before another one. Beyond that its time is unknown. */
const MAX_COUNTED_AHEAD = 10_000;
/** The most that one read counts for all of its runs, each with an equal share: a page has a hundred runs. */
const MAX_COUNTED_TOGETHER = 50_000;

/** The position of a run that waits for the limits of its channel. */
export interface RunQueue {
  /** Runs of its channel that are due before it, counted up to {@link MAX_COUNTED_AHEAD}, or less if many are read together. */
  readonly ahead: number;
  /** When its channel's rate allows it, if no earlier run is delayed; null if that is unknown. */
  readonly expectedAt: Date | null;
}

interface QueueRow extends Pick<LimitState, 'maxPerSecond' | 'rateState' | 'nowMs'> {
  readonly id: string;
  readonly ahead: number;
}

const read = defineStatement<{ readonly runIds: readonly string[]; readonly most: number }, QueueRow>({
  text: `
    SELECT run.id, channel.max_per_second AS "maxPerSecond", state.rate_state AS "rateState", before.ahead,
           floor(extract(epoch FROM now()) * 1000)::float8 AS "nowMs"
      FROM delivery_runs run
      JOIN channels channel ON channel.id = run.channel_id AND ${HAS_LIMITS.sql} AND NOT channel.paused
      LEFT JOIN channel_limit_states state ON state.channel_id = channel.id
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS ahead FROM (
         SELECT FROM delivery_runs other
          WHERE other.channel_id = run.channel_id AND ${isWaiting('other')} AND other.due_at < run.due_at
          LIMIT :most::int) counted) before
     WHERE run.id = ANY (:runIds::uuid[]) AND ${DUE}`,
});

/** The positions of those runs that wait for the limits of their channels, by UUID. Other runs are left out. */
export async function readQueues(
  db: Queryable,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunQueue>> {
  if (runIds.length === 0) return new Map();
  const most = Math.min(MAX_COUNTED_AHEAD, Math.floor(MAX_COUNTED_TOGETHER / runIds.length));
  const rows = await read(db, { runIds, most });
  return new Map(
    rows.map(({ id, ahead, ...state }) => {
      const atMs = ahead < most ? expectedAtMs(state, ahead) : null;
      return [id, { ahead, expectedAt: atMs === null ? null : new Date(atMs) }];
    }),
  );
}
