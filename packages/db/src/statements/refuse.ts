import type { IdSource } from '@postrider/domain';
import type { AnyClient, Queryable } from '../client.ts';
import { HELD_FOR_STREAM, HELD_UNTIL, IS_WAITING } from '../run-statuses.ts';
import { defineStatement, quoted } from '../statement.ts';
import { type ClaimRules, channelColumns, decision, kindsOf, RULES, SUPPRESSION } from './claim.ts';
import { CHANNEL_GONE_MESSAGE, closeRuns } from './close.ts';

/** Start of the error message of the attempt that ends a run with a suppressed recipient. */
const SUPPRESSED_MESSAGE = "Nothing was sent: the recipient's address is on the suppression list";

/** Error message of the attempt that ends a run with an expired event. */
const EXPIRED_MESSAGE = 'Nothing was sent: the event expired before the run was started.';

/** The most held runs that one call of {@link refuseHeldRuns} examines. */
const HELD_AT_ONCE = 500;

/** A due run that a claim has found not to be sent. Ids are UUIDs. */
export interface RunToRefuse {
  readonly runId: string;
  readonly environmentId: string;
  /** The UUID of the attempt that ends it. */
  readonly attemptId: string;
}

interface RefuseInput {
  readonly runs: readonly RunToRefuse[];
  readonly rules: ClaimRules;
}

const STEPS = { addresses: true };

/**
 * Decides on runs under their locks, and holds or ends those that may not be sent. The others are left alone.
 * @param due SQL of the step `due`: locked rows of `delivery_runs`, each with an `attempt_id`
 */
const refusing = (due: string) => `
    WITH ${due}, decided AS MATERIALIZED (
      SELECT due.id, due.attempt_id, due.attempt_count, due.fence, suppression.source AS suppressed_by, messages.stream,
             ${decision(STEPS)} AS decision
        FROM due
        JOIN LATERAL (
          SELECT ${channelColumns(STEPS)} FROM channels channel JOIN ${kindsOf(STEPS)} ON kind.name = channel.kind WHERE channel.id = due.channel_id) channel
          ON NOT channel.has_entries OR :inner::bytea IS NOT NULL
        JOIN messages ON messages.environment_id = due.environment_id AND messages.id = due.message_id
       ${SUPPRESSION}
    ), holding AS (
      UPDATE delivery_runs run
         SET held = CASE decision WHEN 'hold' THEN 'paused' ELSE '${HELD_FOR_STREAM}' || stream END, due_at = ${HELD_UNTIL.sql}
        FROM decided WHERE run.id = decided.id AND decision IN ('hold', 'hold_stream')
      RETURNING run.id
    ), closing AS (
      SELECT id AS run_id, attempt_count + 1 AS number, attempt_id, fence, 'failed' AS next_status, 'failed' AS status,
             decision AS error_code,
             CASE decision WHEN 'channel_disabled' THEN ${quoted(CHANNEL_GONE_MESSAGE)} WHEN 'expired' THEN ${quoted(EXPIRED_MESSAGE)}
                  ELSE ${quoted(SUPPRESSED_MESSAGE)} || ' (' || suppressed_by || ').' END AS error_message,
             false AS retryable
        FROM decided WHERE decision NOT IN ('send', 'hold', 'hold_stream')
    ), ${closeRuns('never-opened')}
    SELECT ((SELECT count(*) FROM holding) + (SELECT count(*) FROM moved))::int AS refused`;

/** Runs that a claim has found. It has ended since: runs that are no longer due, or that another transaction has locked, are left alone. */
const refuse = defineStatement<RefuseInput, { refused: number }>({
  text: refusing(`asked AS (
      SELECT unnest((SELECT :runId::uuid[])) AS run_id, unnest(:environmentId::uuid[]) AS environment_id,
             unnest(:attemptId::uuid[]) AS attempt_id
    ), due AS MATERIALIZED (
      SELECT run.*, asked.attempt_id FROM asked
        JOIN delivery_runs run ON run.id = asked.run_id AND run.environment_id = asked.environment_id
       WHERE ${IS_WAITING} AND run.due_at <= now()
       ORDER BY run.id FOR NO KEY UPDATE OF run SKIP LOCKED
    )`),
  parameters: RULES,
  rows: ({ runs }) => runs,
  environments: ({ runs }) => runs.map(({ environmentId }) => environmentId),
});

/** Holds or ends runs that may not be sent. Returns how many. */
export async function refuseRuns(
  db: AnyClient,
  runs: readonly RunToRefuse[],
  rules: ClaimRules,
): Promise<number> {
  const [row] = await refuse(db, { runs, rules });
  return row?.refused ?? 0;
}

interface HeldRuns {
  readonly channelId: string;
  readonly rules: ClaimRules;
}

/** The oldest held runs of a channel, each as if it were the probe. */
const refuseHeld = defineStatement<
  HeldRuns & { readonly attemptIds: readonly string[] },
  { refused: number }
>({
  text: refusing(`oldest AS (
      SELECT id, environment_id, channel_id, message_id, replay, status, created_at, attempt_count, fence FROM delivery_runs
       WHERE held = 'paused' AND channel_id = :channelId::uuid AND completed_at IS NULL
       ORDER BY id LIMIT cardinality(:attemptIds::uuid[]) FOR NO KEY UPDATE SKIP LOCKED
    ), due AS MATERIALIZED (
      SELECT oldest.*, 'probe' AS held, (:attemptIds::uuid[])[row_number() OVER ()] AS attempt_id FROM oldest
    )`),
  parameters: RULES,
});

/**
 * Ends those of the oldest held runs of a channel that a claim would end without sending: the event has expired, or the recipient is
 * suppressed. Those whose stream is paused wait for the stream instead. As probes they would be inconclusive, and each would delay
 * the next probe. Returns whether there may be more, because this was so for a whole batch.
 */
export async function refuseHeldRuns(tx: Queryable, newId: IdSource, held: HeldRuns): Promise<boolean> {
  const attemptIds = Array.from({ length: HELD_AT_ONCE }, newId);
  const [row] = await refuseHeld(tx, { ...held, attemptIds });
  return row?.refused === HELD_AT_ONCE;
}
