import { Prisma } from '../client.ts';

/**
 * The steps `ordered`, `numbered` and `placed` of the accepting statement, for a batch with runs of ordered channels.
 * Each run gets the next sequence of its key. The row of a key stays locked until the commit, so sequences have no
 * gaps and follow the order of commits. Several keys are locked in their order. It reads the step `accepted_run`; `placed` has `id`,
 * `sequence` and `turn`. A scheduled run gets its sequence when it is due, see {@link placeDueRuns}.
 */
export const PLACE_STEPS: Prisma.Sql = Prisma.sql`, ordered AS MATERIALIZED (
        SELECT id, environment_id, channel_id, ordering_key,
               row_number() OVER (PARTITION BY channel_id, ordering_key ORDER BY place) AS place,
               count(*) OVER (PARTITION BY channel_id, ordering_key) AS runs
          FROM accepted_run WHERE ordering_key IS NOT NULL AND status = 'queued'
      ), numbered AS (
        INSERT INTO ordering_keys AS known (channel_id, key, environment_id, last_sequence)
        SELECT channel_id, ordering_key, environment_id, count(*) FROM ordered
         GROUP BY channel_id, ordering_key, environment_id
         ORDER BY channel_id, ordering_key COLLATE "C"
        ON CONFLICT (channel_id, key)
          DO UPDATE SET last_sequence = known.last_sequence + EXCLUDED.last_sequence, used_at = now()
        RETURNING channel_id, key, last_sequence, turn
      ), placed AS MATERIALIZED (
        SELECT ordered.id, last_sequence - runs + place AS sequence, turn
          FROM ordered JOIN numbered
            ON numbered.channel_id = ordered.channel_id AND numbered.key = ordered.ordering_key
      )`;

/** Joins a run to its sequence in a batch with {@link PLACE_STEPS}: the end of the `FROM` of the insertion. */
export const JOIN_PLACE: Prisma.Sql = Prisma.sql`LEFT JOIN placed ON placed.id = run.id`;
/** Why a run is held: an earlier run of its key is open, or it gets its sequence when it is due. */
export const HELD_BY_PLACE: Prisma.Sql = Prisma.sql`
  CASE WHEN run.ordering_key IS NOT NULL AND (placed.id IS NULL OR placed.sequence <> placed.turn) THEN 'ordered' ELSE run.held END`;
