import { RUN_FEEDBACK_TYPES, type RunFeedback } from '@postrider/domain';
import type { Queryable } from '../client.ts';

/** SQL for the largest reason in a run's feedback, in bytes of JSON; `column` has the run's id. */
export const feedbackBytes = (column: string) => `(
    SELECT COALESCE(max(octet_length(to_json(reason)::text)), 0) FROM run_feedback WHERE run_feedback.run_id = ${column})`;

/**
 * The feedback shown for each of these runs; runs without feedback are left out. The most significant type wins,
 * permanent bounces before others, then the newest. So the order of the reports does not matter. Feedback about
 * addresses in copy is not shown.
 */
export async function readFeedback(
  db: Queryable,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunFeedback>> {
  if (runIds.length === 0) return new Map();
  const rows = await db.$queryRaw<(RunFeedback & { readonly runId: string })[]>`
    SELECT DISTINCT ON (run_id) run_id AS "runId", type, permanent, at, reason FROM run_feedback
     WHERE run_id = ANY(${runIds}::uuid[]) AND NOT of_copy AND type = ANY(${RUN_FEEDBACK_TYPES}::text[])
     ORDER BY run_id, array_position(${RUN_FEEDBACK_TYPES}::text[], type) DESC, permanent DESC, at DESC,
              event_digest DESC`;
  return new Map(rows.map(({ runId, ...feedback }) => [runId, feedback]));
}
