import { RUN_FEEDBACK_TYPES } from '@postrider/domain';
import type { Database } from '../client.ts';
import { defineStatement } from '../statement.ts';
import { readInEnvironments } from '../transactions/transaction.ts';

/** The position in an environment from which changes are read. */
export interface StreamPosition {
  readonly environmentId: string;
  /** `pg_snapshot` of the position; null to get only the current position. */
  readonly snapshot: string | null;
  /** Time of the position, by the database's clock. */
  readonly at: Date;
}

/** A row written by a transaction that committed after the position. */
export interface StreamChange {
  readonly kind: 'message' | 'run' | 'attempt' | 'feedback';
  readonly messageId: string;
  /** Null for messages. */
  readonly runId: string | null;
  readonly channelId: string | null;
  /** For feedback its type. */
  readonly status: string | null;
  /** For attempts. */
  readonly number: number | null;
  readonly at: Date;
}

interface StreamRead {
  readonly snapshot: string;
  readonly at: Date;
  /** The changes for each position, oldest first; null if there may be more than one read returns. */
  readonly changes: readonly (readonly StreamChange[] | null)[];
}

/** The newest messages, and runs of events and of replays, that one read examines per position, which bounds its time. */
const NEWEST_MESSAGES = 500;
const NEWEST_RUNS = 1_000;
const NEWEST_FEEDBACK = 500;
const MAX_CHANGES = 500;
/** The longest expected time between a row's timestamp and its commit. */
const COMMIT_SECONDS = 2;

interface Row extends Omit<StreamChange, 'kind'> {
  readonly snapshot: string;
  readonly readAt: Date;
  readonly batchIndex: number;
  readonly hasGap: boolean;
  /** Null in a row without a change. */
  readonly kind: StreamChange['kind'] | null;
}

/** Whether the transaction that wrote the row (`xmin`, 32 bits) was still open at the position. */
const isNew = (xmin: string) => `
  NOT pg_visible_in_snapshot(
    greatest(3, reader.xmax - ((reader.xmax - ${xmin}::text::int8) & 4294967295))::text::xid8, watched.seen)`;

/** The columns of the runs of events, which are as old as their messages, and of replays. Each has an index in the order of time. */
const RUN_COLUMNS = `xmin, id, message_id, channel_id, status,
                   COALESCE(completed_at, started_at, created_at) AS changed_at`;

/** Changes older than this time may be outside of the examined rows. */
const windowStart = (
  table: string,
  order: string,
  size: number,
  { time = 'created_at', only = 'true' } = {},
) => `
  (SELECT ${time} FROM ${table} oldest WHERE oldest.environment_id = asked.environment_id AND ${only}
    ORDER BY ${order} DESC OFFSET ${size - 1} LIMIT 1)`;

/**
 * Whether there may be more changes is decided once for each position, and not again for each change. If nothing was committed in
 * the whole database since the position, `is_behind` is false and no row is read.
 */
const read = defineStatement<readonly StreamPosition[], Row>({
  text: `
    WITH reader AS MATERIALIZED (
      SELECT pg_current_snapshot() AS snapshot, now() AS at, pg_snapshot_xmax(pg_current_snapshot())::text::int8 AS xmax
    ), asked AS MATERIALIZED (
      SELECT batch_index::int, environment_id, positions.snapshot::pg_snapshot AS seen,
             positions.snapshot IS NOT NULL AND positions.snapshot <> reader.snapshot::text AS is_behind,
             positions.at - make_interval(secs => ${COMMIT_SECONDS}) AS since
        FROM reader CROSS JOIN unnest(:environmentId::uuid[], :snapshot::text[], :at::timestamptz[])
             WITH ORDINALITY AS positions (environment_id, snapshot, at, batch_index)
    ), watched AS MATERIALIZED (
      SELECT asked.*, COALESCE(is_behind AND (
               pg_snapshot_xmax(seen)::text::int8 > reader.xmax
               OR ${windowStart('messages', 'id', NEWEST_MESSAGES)} >= since
               OR ${windowStart('delivery_runs', 'message_id', NEWEST_RUNS, { only: 'replay = 0' })} >= since
               OR ${windowStart('delivery_runs', 'created_at', NEWEST_RUNS, { only: 'replay > 0' })} >= since
               OR ${windowStart('run_feedback', 'received_at', NEWEST_FEEDBACK, { time: 'received_at' })} >= since), false) AS has_gap
        FROM reader CROSS JOIN asked
    )
    SELECT reader.snapshot::text, reader.at AS "readAt", watched.batch_index AS "batchIndex", found.*, watched.has_gap AS "hasGap"
      FROM reader CROSS JOIN watched LEFT JOIN LATERAL (
        WITH changed_runs AS (
          SELECT run.* FROM (
            (SELECT ${RUN_COLUMNS} FROM delivery_runs WHERE environment_id = watched.environment_id AND replay = 0
              ORDER BY message_id DESC LIMIT ${NEWEST_RUNS})
            UNION ALL
            (SELECT ${RUN_COLUMNS} FROM delivery_runs WHERE environment_id = watched.environment_id AND replay > 0
              ORDER BY created_at DESC LIMIT ${NEWEST_RUNS})) AS run
           WHERE ${isNew('run.xmin')}
        )
        SELECT * FROM (
          SELECT 'message' AS kind, id AS "messageId", NULL::uuid AS "runId", NULL::uuid AS "channelId", NULL AS status,
                 NULL::int AS number, created_at AS at
            FROM (SELECT xmin, id, replay_count, erased_at, created_at FROM messages
                   WHERE environment_id = watched.environment_id ORDER BY id DESC LIMIT ${NEWEST_MESSAGES}) AS message
           WHERE replay_count = 0 AND erased_at IS NULL AND ${isNew('message.xmin')}
          UNION ALL
          SELECT 'run', message_id, id, channel_id, status, NULL, changed_at FROM changed_runs
          UNION ALL
          SELECT 'attempt', message_id, changed_runs.id, channel_id, attempts.status, number, attempts.completed_at
            FROM changed_runs JOIN attempts ON attempts.run_id = changed_runs.id
           WHERE attempts.completed_at IS NOT NULL AND ${isNew('attempts.xmin')}
          UNION ALL
          SELECT 'feedback', run.message_id, feedback.run_id, run.channel_id, feedback.type, NULL, feedback.received_at
            FROM (SELECT xmin, run_id, type, of_copy, received_at FROM run_feedback WHERE environment_id = watched.environment_id
                   ORDER BY received_at DESC LIMIT ${NEWEST_FEEDBACK}) AS feedback
            JOIN delivery_runs run ON run.id = feedback.run_id
           WHERE feedback.type = ANY('{${RUN_FEEDBACK_TYPES.join()}}') AND NOT feedback.of_copy AND ${isNew('feedback.xmin')}) AS changes
         WHERE watched.is_behind LIMIT ${MAX_CHANGES + 1}
      ) AS found ON true`,
});

/**
 * Reads what was committed after each position, in one statement: accepted messages, new and changed runs, ended
 * attempts and feedback, for the newest messages and runs of each environment. Times and ids would miss rows that
 * commit late; the statement's own snapshot is the exact next position, valid in any process.
 */
export async function readStream(db: Database, positions: readonly StreamPosition[]): Promise<StreamRead> {
  const environments = positions.map(({ environmentId }) => environmentId);
  const rows = await readInEnvironments(db, environments, (tx) => read(tx, positions));
  const [first] = rows;
  if (!first) throw new Error('readStream needs at least one position');
  const found = positions.map((): { gap: boolean; changes: StreamChange[] } => ({ gap: false, changes: [] }));
  for (const { snapshot: _snapshot, readAt: _readAt, batchIndex, hasGap, kind, ...change } of rows) {
    const changed = found[batchIndex - 1];
    if (!changed) continue;
    changed.gap ||= hasGap;
    if (kind !== null) changed.changes.push({ kind, ...change });
  }
  return {
    snapshot: first.snapshot,
    at: first.readAt,
    changes: found.map(({ gap, changes }) =>
      gap || changes.length > MAX_CHANGES ? null : changes.sort(oldestFirst),
    ),
  };
}

const ORDER = { message: 0, attempt: 1, run: 2, feedback: 3 } as const;

const oldestFirst = (one: StreamChange, other: StreamChange) =>
  one.at.getTime() - other.at.getTime() || ORDER[one.kind] - ORDER[other.kind];
