import {
  OPEN_REPLAY_BATCH_STATUSES,
  STARTED_RUN_STATUSES,
  statusesThatMayBecome,
  TERMINAL_RUN_STATUSES,
  WAITING_RUN_STATUSES,
} from '@postrider/domain';
import { Prisma } from './client.ts';

/**
 * A list of statuses as SQL, for `status IN ${WAITING}`. The statuses are literals, not parameters, because the
 * planner only uses a partial index if it sees that the condition implies the index predicate.
 */
const listOf = (statuses: readonly string[]): Prisma.Sql =>
  Prisma.raw(`(${statuses.map((status) => `'${status}'`).join(', ')})`);

/**
 * Statuses of runs by their meaning, from the state machine in the domain package. A statement that searches for open
 * runs by an index also needs `completed_at IS NULL`, the predicate of these indexes. It means the same (a check of
 * the table): with the status in the predicate, a claim would not be a HOT update (decision 35).
 */
export const WAITING: Prisma.Sql = listOf(WAITING_RUN_STATUSES);
export const CANCELLABLE: Prisma.Sql = listOf(statusesThatMayBecome('cancelled'));
export const STARTED: Prisma.Sql = listOf(STARTED_RUN_STATUSES);
export const TERMINAL: Prisma.Sql = listOf(TERMINAL_RUN_STATUSES);

/** The statuses in which a bulk replay may replay another page. */
export const OPEN_BATCH: Prisma.Sql = listOf(OPEN_REPLAY_BATCH_STATUSES);

/**
 * Whether the run of this alias is open and waits: unless it is running. With a list of statuses PostgreSQL would expect so few
 * runs that it reads and sorts all open ones.
 */
export const isWaiting = (alias: string): string =>
  `${alias}.completed_at IS NULL AND ${alias}.status <> 'running'`;
export const IS_WAITING: string = isWaiting('run');

/**
 * When a held run is due, as SQL: never. Searches for due runs therefore do not find held runs, and a large number of
 * them does not slow these searches. Releasing a run sets `due_at` to the current time, and `held` to NULL, or to
 * 'released' if its channel was paused.
 */
export const HELD_UNTIL: Prisma.Sql = Prisma.raw(`'9999-12-31T00:00:00Z'::timestamptz`);

/** What `held` of a run begins with that waits for its stream; the stream follows. */
export const HELD_FOR_STREAM = 'stream:';

/**
 * `waiting (channel_id, channel_kind)`, a recursive step of a statement: the channels that have waiting runs, due or
 * not. It skips from channel to channel in the index `delivery_runs_open` (a loose index scan), so it costs one
 * look-up per channel, however many runs wait, and one for each run that a worker has claimed.
 */
export const WAITING_CHANNELS: Prisma.Sql = Prisma.raw(`
    WITH RECURSIVE waiting (channel_id, channel_kind) AS (
      (SELECT run.channel_id, run.channel_kind FROM delivery_runs run WHERE ${IS_WAITING}
        ORDER BY run.channel_id LIMIT 1)
      UNION ALL
      SELECT next.channel_id, next.channel_kind FROM waiting CROSS JOIN LATERAL (
        SELECT run.channel_id, run.channel_kind FROM delivery_runs run
         WHERE ${IS_WAITING} AND run.channel_id > waiting.channel_id
         ORDER BY run.channel_id LIMIT 1) next
    )`);
