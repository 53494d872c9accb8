import { Prisma } from '../client.ts';

/**
 * The steps `ordered`, `numbered` and `placed` of the accepting statement, for a batch with runs of ordered channels: each gets
 * the next sequence of its key. The row of a key stays locked until the commit, so that sequences have no gap and are in the
 * order of the commits. A statement that locks several keys locks them in their order. `placed` has `id`, `sequence` and `turn`. A
 * scheduled run gets its place when it is due, see {@link placeDueRuns}.
 */
export const PLACE_STEPS: Prisma.Sql = Prisma.sql`, ordered AS MATERIALIZED (
        SELECT run.id, accepted.environment_id, run.channel_id, accepted.ordering_key,
               row_number() OVER (PARTITION BY run.channel_id, accepted.ordering_key ORDER BY accepted.place) AS place,
               count(*) OVER (PARTITION BY run.channel_id, accepted.ordering_key) AS runs
          FROM accepted
         CROSS JOIN json_to_recordset(accepted.runs) AS run (id uuid, channel_id uuid, status text, ordered bool)
         WHERE run.ordered AND run.status = 'queued' AND (SELECT count(*) FROM message) > 0
      ), numbered AS (
        INSERT INTO ordering_keys AS known (channel_id, key, environment_id, last_sequence)
        SELECT channel_id, ordering_key, environment_id, count(*) FROM ordered
         GROUP BY channel_id, ordering_key, environment_id
         ORDER BY channel_id, ordering_key COLLATE "C"
        ON CONFLICT (channel_id, key) DO UPDATE SET last_sequence = known.last_sequence + EXCLUDED.last_sequence
        RETURNING channel_id, key, last_sequence, turn
      ), placed AS MATERIALIZED (
        SELECT ordered.id, last_sequence - runs + place AS sequence, turn
          FROM ordered JOIN numbered
            ON numbered.channel_id = ordered.channel_id AND numbered.key = ordered.ordering_key
      )`;

/** What a run has of the order, when its batch has {@link PLACE_STEPS}: the end of the `FROM` of its insertion. */
export const JOIN_PLACE: Prisma.Sql = Prisma.sql`LEFT JOIN placed ON placed.id = run.id`;
/** Why it waits: behind another run of its key, or because it has no place before its time. */
export const HELD_BY_PLACE: Prisma.Sql = Prisma.sql`
  CASE WHEN run.ordered AND (placed.id IS NULL OR placed.sequence <> placed.turn) THEN 'ordered' ELSE run.held END`;
