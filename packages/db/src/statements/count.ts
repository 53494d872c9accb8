import { Prisma, type Queryable } from '../client.ts';

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

const COLUMNS = Prisma.sql`environment_id, minute, channel_id, event_key, error_code, latency_bucket,
                                    accepted, delivered, failed, attempts`;

/**
 * Counts the bounces and complaints of a request's new feedback, once for each run and type, in the minute in which
 * they came. The transaction has stored them.
 * @param reports run and digest of each report about a recipient, also of those that are not counted
 */
export async function countFeedback(
  tx: Queryable,
  environmentId: string,
  reports: readonly { readonly runId: string; readonly digest: string; readonly isCounted: boolean }[],
): Promise<void> {
  if (reports.length === 0) return;
  await tx.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT run_id, decode(digest, 'hex') AS digest, is_counted
        FROM unnest(${reports.map(({ runId }) => runId)}::uuid[], ${reports.map(({ digest }) => digest)}::text[],
                    ${reports.map(({ isCounted }) => isCounted)}::bool[]) AS given (run_id, digest, is_counted)
    ), report AS (
      SELECT DISTINCT stored.run_id, stored.type FROM given
        JOIN run_feedback stored ON stored.run_id = given.run_id AND stored.event_digest = given.digest
       WHERE given.is_counted AND stored.type IN ('bounced', 'complained')
         AND NOT EXISTS (
           SELECT FROM run_feedback earlier
            WHERE earlier.run_id = stored.run_id AND earlier.type = stored.type AND NOT earlier.of_copy
              AND (earlier.run_id, earlier.event_digest) NOT IN (SELECT run_id, digest FROM given))
    )
    INSERT INTO stats_deltas (${COLUMNS}, bounced, complained)
    SELECT ${environmentId}::uuid, date_trunc('minute', now()), run.channel_id, message.event_key, '', ${NO_LATENCY}::int,
           0, 0, 0, 0, count(*) FILTER (WHERE report.type = 'bounced'), count(*) FILTER (WHERE report.type = 'complained')
      FROM report JOIN delivery_runs run ON run.id = report.run_id
      JOIN messages message ON message.environment_id = ${environmentId}::uuid AND message.id = run.message_id
     WHERE run.environment_id = ${environmentId}::uuid AND NOT message.test AND message.operational IS NULL
     GROUP BY run.channel_id, message.event_key`;
}

/** The columns that `moved` must also return for {@link countClosed}. */
export const COUNTED_COLUMNS: Prisma.Sql = Prisma.sql`
             run.environment_id AS counted_environment_id, run.message_id AS counted_message_id,
             run.channel_id AS counted_channel_id,
             date_part('epoch', now() - COALESCE(run.scheduled_at, run.created_at)) * 1000 AS counted_latency_ms`;

/**
 * The step that counts the attempts of `moved`, in the minute in which they were closed. The latency is that of a
 * run's first attempt, if it got a response. Tests are not counted.
 * @param attempts SQL for the number of attempts that rows of `moved` have closed
 */
export function countClosed({
  isOpened,
  attempts,
}: {
  readonly isOpened: boolean;
  readonly attempts: Prisma.Sql;
}): Prisma.Sql {
  const bucket = isOpened
    ? Prisma.sql`CASE WHEN moved.number = 1 AND moved.status IN ('succeeded', 'failed')
                   THEN width_bucket(GREATEST(0, counted_latency_ms), ${LATENCY_BOUNDS_MS}::float8[])
                   ELSE ${NO_LATENCY}::int END`
    : Prisma.sql`${NO_LATENCY}::int`;
  return Prisma.sql`counted AS (
      INSERT INTO stats_deltas (${COLUMNS})
      SELECT counted_environment_id, date_trunc('minute', now()), counted_channel_id, message.event_key,
             COALESCE(moved.error_code, ''), ${bucket}, 0, count(*) FILTER (WHERE moved.next_status = 'succeeded'),
             count(*) FILTER (WHERE moved.next_status = 'failed'), ${attempts}
        FROM moved JOIN messages message
          ON message.environment_id = counted_environment_id AND message.id = counted_message_id
       WHERE NOT message.test AND message.operational IS NULL
       GROUP BY 1, 3, 4, 5, 6
    )`;
}
