import type { Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';

/**
 * Upper bounds of the latency buckets, in milliseconds: each is half as large again as the one before, from 5 ms to
 * 15 minutes. The last bucket has no upper bound. Stored figures refer to buckets by number, so add none in the
 * middle.
 */
export const LATENCY_BOUNDS_MS: readonly number[] = [
  5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 675, 1_000, 1_500, 2_250, 3_375, 5_000, 7_500, 11_250,
  17_000, 25_500, 38_000, 57_000, 85_500, 128_000, 192_000, 288_000, 432_000, 648_000, 900_000,
];
/** The bucket of rows without a latency. */
export const NO_LATENCY = -1;
/** The channel of rows without a channel. */
export const NO_CHANNEL = '00000000-0000-0000-0000-000000000000';

/**
 * New feedback of an environment. `reports`: run and digest, in hexadecimal, of each report about a recipient, also of those
 * that are not counted.
 */
interface Feedback {
  readonly environmentId: string;
  readonly reports: readonly {
    readonly runId: string;
    readonly digest: string;
    /** The mail account that sent the reported email; null if the run has none. */
    readonly sender: string | null;
    readonly isCounted: boolean;
  }[];
}

const count = defineStatement<Feedback, never>({
  text: `
    WITH given AS MATERIALIZED (
      SELECT unnest((SELECT :runId::uuid[])) AS run_id, unnest(:digest::bytea[]) AS digest,
             unnest(:sender::text[]) AS sender, unnest(:isCounted::bool[]) AS is_counted
    ), report AS (
      SELECT DISTINCT ON (stored.run_id, stored.type) stored.run_id, stored.type, COALESCE(given.sender, '') AS sender FROM given
        JOIN run_feedback stored ON stored.run_id = given.run_id AND stored.event_digest = given.digest
       WHERE given.is_counted AND stored.type IN ('bounced', 'complained')
         AND NOT EXISTS (
           SELECT FROM run_feedback earlier
            WHERE earlier.run_id = stored.run_id AND earlier.type = stored.type AND NOT earlier.of_copy
              AND (earlier.run_id, earlier.event_digest) NOT IN (SELECT run_id, digest FROM given))
       ORDER BY 1, 2, 3 DESC
    )
    INSERT INTO stats_deltas (environment_id, minute, channel_id, sender, event_key, error_code, latency_bucket,
                              accepted, delivered, failed, attempts, bounced, complained)
    SELECT :environmentId::uuid, date_trunc('minute', now()), run.channel_id, report.sender, message.event_key, '', ${NO_LATENCY},
           0, 0, 0, 0, count(*) FILTER (WHERE report.type = 'bounced'), count(*) FILTER (WHERE report.type = 'complained')
      FROM report JOIN delivery_runs run ON run.id = report.run_id
      JOIN messages message ON message.environment_id = :environmentId::uuid AND message.id = run.message_id
     WHERE run.environment_id = :environmentId::uuid AND NOT message.test AND message.operational IS NULL
     GROUP BY run.channel_id, report.sender, message.event_key`,
  parameters: { digest: ({ reports }) => reports.map(({ digest }) => Buffer.from(digest, 'hex')) },
  rows: ({ reports }) => reports,
});

/**
 * Counts the bounces and complaints of a request's new feedback, once for each run and type, in the minute in which
 * they came. The transaction has stored them.
 */
export async function countFeedback(tx: Queryable, feedback: Feedback): Promise<void> {
  if (feedback.reports.length > 0) await count(tx, feedback);
}
