import type { FeedbackEvent } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';
import { hasOperationalChannel } from './emit.ts';

/** Reported events about the mails of an environment. Ids are UUIDs. */
interface FeedbackToStore {
  readonly environmentId: string;
  /** How many of one type a run keeps. */
  readonly maxOfType: number;
  readonly reports: readonly (Pick<FeedbackEvent, 'type' | 'permanent' | 'at' | 'reason'> & {
    readonly runId: string;
    /** In hexadecimal. */
    readonly digest: string;
    readonly ofCopy: boolean;
    /** The reason as an operational event has it. */
    readonly reportedReason: string | null;
  })[];
}

const store = defineStatement<FeedbackToStore, { run_id: string; digest: string }>({
  text: `
    WITH given AS MATERIALIZED (
      SELECT unnest((SELECT :runId::uuid[])) AS run_id, unnest(:digest::text[]) AS digest, unnest(:type::text[]) AS type,
             unnest(:permanent::bool[]) AS permanent, LEAST(unnest(:at::timestamptz[]), now()) AS at,
             unnest(:reason::text[]) AS reason, unnest(:ofCopy::bool[]) AS of_copy,
             unnest(:reportedReason::text[]) AS reported_reason
    ), stored AS (
      INSERT INTO run_feedback (run_id, event_digest, environment_id, type, permanent, at, reason, of_copy)
      SELECT given.run_id, decode(given.digest, 'hex'), :environmentId::uuid, given.type, given.permanent, given.at,
             given.reason, given.of_copy
        FROM given
       WHERE (SELECT count(*) FROM run_feedback kept
               WHERE kept.run_id = given.run_id AND kept.type = given.type AND kept.of_copy = given.of_copy) < :maxOfType::int
       ORDER BY given.run_id, given.digest
          ON CONFLICT (run_id, event_digest) DO NOTHING
      RETURNING run_id, encode(event_digest, 'hex') AS digest
    ), reported AS (
      INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
      SELECT environment.id, 'email.' || given.type, 'feedback/' || stored.run_id || '/' || stored.digest,
             jsonb_build_object('delivery_run_id', run.id, 'message_id', run.message_id, 'channel_id', run.channel_id,
               'event_key', message.event_key, 'attempts', run.attempt_count, 'permanent', given.permanent,
               'reason', given.reported_reason, 'at', to_char(given.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        FROM environments environment
        JOIN stored ON environment.outcome_events <> '{}'
        JOIN given ON given.run_id = stored.run_id AND given.digest = stored.digest AND NOT given.of_copy
        JOIN delivery_runs run ON run.id = stored.run_id AND run.environment_id = environment.id
        JOIN messages message ON message.environment_id = environment.id AND message.id = run.message_id
       WHERE environment.id = :environmentId::uuid AND 'email.' || given.type = ANY (environment.outcome_events)
         AND NOT message.test AND message.operational IS NULL AND ${hasOperationalChannel('environment.id')}
       ORDER BY stored.run_id, stored.digest
      ON CONFLICT (dedupe_key) DO NOTHING
    )
    SELECT run_id, digest FROM stored`,
  rows: ({ reports }) => reports,
});

/**
 * Stores new feedback, and reports it if the environment has chosen such outcomes; not about copies, tests and operational messages.
 * Returns what is new. Rows are written in a fixed order, so that two requests cannot deadlock. An event dated in the future is
 * dated at its arrival.
 */
export const storeFeedback = (tx: Queryable, feedback: FeedbackToStore) => store(tx, feedback);
