import type { AttemptErrorCode, OperationalEventType } from '@postrider/domain';
import type { RunWakeUp } from '../accept/runs.ts';
import type { Queryable } from '../client.ts';
import { HELD_UNTIL } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { hasOperationalChannel } from './emit.ts';

/** An ordering key of a channel; the channel is a UUID. */
export interface OrderingKey {
  readonly channelId: string;
  readonly key: string;
}

/**
 * Error codes of runs that ended without exhausting their attempts. The key continues, whatever `on_exhausted` says.
 */
const NOT_EXHAUSTED: readonly AttemptErrorCode[] = [
  'channel_disabled',
  'expired',
  'recipient_suppressed',
  // An erasure ended the run; it is `failed` if it was already due.
  'scheduled_cancelled',
];

const KEY_BLOCKED: OperationalEventType = 'ordering_key.blocked';

/** A statement in a transaction of some environments, or across all. */
type InTransaction<Input, Row> = (tx: Queryable, input: Input) => Promise<Row[]>;

/** The keys as rows `asked (channel_id, key)` for `FROM`. */
const ASKED = 'unnest(:channelId::uuid[], :key::text[]) AS asked (channel_id, key)';

/** Locks keys until the transaction ends, in the same order as an acceptance locks them. */
export const lockKeys: InTransaction<readonly OrderingKey[], never> = defineStatement({
  text: `
    SELECT FROM ordering_keys known JOIN ${ASKED} ON known.channel_id = asked.channel_id AND known.key = asked.key
     ORDER BY known.channel_id, known.key FOR UPDATE OF known`,
});

/** SQL of the columns of a {@link RunWakeUp}. */
const RELEASED =
  'run.id AS "runId", run.channel_id AS "channelId", run.channel_kind AS "channelKind", 0 AS "delayMs"';

/**
 * Moves the turn of locked keys to the next open run, releases that run, and returns the released runs. The turn
 * stays if its run is still open. It also stays if its run failed for good and the channel blocks; the key is then
 * marked as blocked, which is reported once for each run that blocks it. This must be its own statement after the lock, so
 * that it sees everything committed before.
 */
export const moveTurns: InTransaction<readonly OrderingKey[], RunWakeUp> = defineStatement({
  text: `
    WITH decided AS (
      SELECT state.*,
             CASE WHEN is_open OR blocks THEN turn ELSE COALESCE(next_sequence, last_sequence + 1) END AS new_turn,
             NOT is_open AND blocks AS is_blocked
        FROM (
          SELECT known.channel_id, known.key, known.turn, known.last_sequence,
                 EXISTS (SELECT FROM delivery_runs run
                          WHERE run.channel_id = known.channel_id AND run.ordering_key = known.key AND run.sequence = known.turn
                            AND run.completed_at IS NULL) AS is_open,
                 channel.environment_id, channel.operational, known.blocked_run_id AS blocked_before,
                 ended.id AS ended_id, ended.message_id, ended.last_error_code, next.sequence AS next_sequence,
                 channel.ordering = 'key' AND channel.on_exhausted = 'block' AND channel.deleted_at IS NULL
                   AND CASE WHEN ended.id IS NULL THEN known.blocked_at IS NOT NULL
                            ELSE ended.status = 'failed'
                                 AND COALESCE(ended.last_error_code, '') <> ALL ('{${NOT_EXHAUSTED.join()}}') END AS blocks
            FROM ${ASKED}
            JOIN ordering_keys known ON known.channel_id = asked.channel_id AND known.key = asked.key
            JOIN channels channel ON channel.id = known.channel_id
            LEFT JOIN LATERAL (
              SELECT run.id, run.message_id, run.status, run.last_error_code FROM delivery_runs run
               WHERE run.channel_id = known.channel_id AND run.ordering_key = known.key AND run.sequence = known.turn
               ORDER BY run.replay DESC LIMIT 1) ended ON true
            LEFT JOIN LATERAL (
              SELECT run.sequence FROM delivery_runs run
               WHERE run.channel_id = known.channel_id AND run.ordering_key = known.key AND run.sequence > known.turn
                 AND run.completed_at IS NULL
               ORDER BY run.sequence LIMIT 1) next ON true) state
    ), moved AS (
      UPDATE ordering_keys known
         SET turn = new_turn, blocked_at = CASE WHEN is_blocked THEN COALESCE(known.blocked_at, now()) END,
             blocked_run_id = CASE WHEN is_blocked THEN COALESCE(ended_id, known.blocked_run_id) END
        FROM decided
       WHERE known.channel_id = decided.channel_id AND known.key = decided.key
         AND (new_turn <> known.turn OR is_blocked IS DISTINCT FROM (known.blocked_at IS NOT NULL))
    ), reported AS (
      INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
      SELECT environment_id, '${KEY_BLOCKED}', 'blocked/' || ended_id, jsonb_build_object(
               'channel_id', channel_id, 'ordering_key', key, 'sequence', turn, 'delivery_run_id', ended_id,
               'message_id', message_id, 'error_code', last_error_code)
        FROM decided
       WHERE is_blocked AND ended_id IS DISTINCT FROM blocked_before AND NOT operational
         AND ${hasOperationalChannel('decided.environment_id')}
       ORDER BY ended_id
      ON CONFLICT (dedupe_key) DO NOTHING
    )
    UPDATE delivery_runs run SET held = NULL, due_at = date_trunc('milliseconds', now())
      FROM decided
     WHERE run.channel_id = decided.channel_id AND run.ordering_key = decided.key AND run.sequence = decided.new_turn
       AND run.held = 'ordered' AND run.completed_at IS NULL AND NOT is_blocked
    RETURNING ${RELEASED}`,
});

/** SQL of the scheduled runs that are due and have no sequence yet. */
const IS_UNSEQUENCED = `
  ordering_key IS NOT NULL AND sequence IS NULL AND completed_at IS NULL AND scheduled_at <= now()`;

/** Locks the keys of up to `limit` scheduled runs that are due without a sequence, and creates the keys that are missing. */
export const lockUnsequenced: InTransaction<{ readonly limit: number }, OrderingKey> = defineStatement({
  text: `
    INSERT INTO ordering_keys AS known (channel_id, key, environment_id, last_sequence)
    SELECT DISTINCT channel_id, ordering_key, environment_id, 0 FROM (
      SELECT channel_id, ordering_key, environment_id FROM delivery_runs
       WHERE ${IS_UNSEQUENCED} ORDER BY scheduled_at, id LIMIT :limit::int) due
     ORDER BY channel_id, ordering_key
    ON CONFLICT (channel_id, key) DO UPDATE SET turn = known.turn
    RETURNING channel_id AS "channelId", key`,
});

/** Gives up to `limit` such runs of locked keys their sequences, in the order of their times. */
export const assignSequences: InTransaction<
  { readonly keys: readonly OrderingKey[]; readonly limit: number },
  RunWakeUp & { readonly held: string | null }
> = defineStatement({
  text: `
    WITH due AS (
      SELECT run.id, run.channel_id, run.ordering_key, run.scheduled_at
        FROM ${ASKED}
        JOIN delivery_runs run ON run.channel_id = asked.channel_id AND run.ordering_key = asked.key
       WHERE ${IS_UNSEQUENCED}
       ORDER BY run.scheduled_at, run.id LIMIT :limit::int FOR UPDATE OF run
    ), sequenced AS (
      SELECT due.*, known.turn, known.last_sequence + row_number() OVER (
               PARTITION BY due.channel_id, due.ordering_key ORDER BY due.scheduled_at, due.id) AS sequence
        FROM due JOIN ordering_keys known
          ON known.channel_id = due.channel_id AND known.key = due.ordering_key
    ), counted AS (
      UPDATE ordering_keys known SET last_sequence = last.sequence, used_at = now()
        FROM (SELECT channel_id, ordering_key, max(sequence) AS sequence FROM sequenced GROUP BY 1, 2) last
       WHERE known.channel_id = last.channel_id AND known.key = last.ordering_key
    )
    UPDATE delivery_runs run
       SET sequence = sequenced.sequence, held = CASE WHEN sequenced.sequence <> sequenced.turn THEN 'ordered' END,
           due_at = CASE WHEN sequenced.sequence <> sequenced.turn THEN ${HELD_UNTIL.sql}
                         ELSE date_trunc('milliseconds', now()) END
      FROM sequenced WHERE run.id = sequenced.id
    RETURNING ${RELEASED}, run.held`,
  rows: ({ keys }) => keys,
});
