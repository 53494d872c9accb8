import { SELF_SERVICE_LIMITS } from '@postrider/domain';

const { count: MAX_REPLAYS } = SELF_SERVICE_LIMITS.replaysOfConsumer;

/** SQL of the columns of a new row, and of an existing one, that count the replays of a day (UTC). */
const REPLAYS = {
  columns: ', replayed_on, replays_of_day',
  values: `, (now() AT TIME ZONE 'UTC')::date, CASE WHEN events <= ${MAX_REPLAYS} THEN events END`,
  // A transaction that began before midnight may come after one that began later.
  update: `, replayed_on = GREATEST(usage.replayed_on, EXCLUDED.replayed_on), replays_of_day = CASE
      WHEN usage.replayed_on IS NULL OR usage.replayed_on < EXCLUDED.replayed_on THEN EXCLUDED.replays_of_day
      WHEN usage.replays_of_day + EXCLUDED.replays_of_day <= ${MAX_REPLAYS} THEN usage.replays_of_day + EXCLUDED.replays_of_day END`,
};
const NO_REPLAYS = { columns: '', values: '', update: '' };

/**
 * SQL of the steps of the accepting statement that charge the consumers of its events, or of replays by their own callers, which it
 * also counts by day. A charge beyond a limit evaluates to NULL, which the column refuses.
 */
export function chargeOfConsumers({ byTheirCallers }: { readonly byTheirCallers: boolean }): string {
  const replays = byTheirCallers ? REPLAYS : NO_REPLAYS;
  return `
), of_consumer AS MATERIALIZED (
  SELECT environment_id, consumer_id, count(*) AS events
    FROM accepted WHERE consumer_id IS NOT NULL AND (SELECT count(*) FROM environment) > 0
   GROUP BY environment_id, consumer_id
), consumer AS (
  INSERT INTO consumer_usage AS usage (environment_id, consumer_id, period_start, consumer_events${replays.columns})
  SELECT environment_id, consumer_id, (SELECT period_start FROM bounds),
         CASE WHEN COALESCE(events <= known.events_per_month, true) THEN events END${replays.values}
    FROM of_consumer JOIN consumers known USING (environment_id)
   WHERE known.id = consumer_id
   ORDER BY environment_id, consumer_id
  ON CONFLICT (environment_id, consumer_id, period_start) DO UPDATE SET consumer_events = CASE
    WHEN COALESCE((SELECT usage.consumer_events + EXCLUDED.consumer_events <= known.events_per_month
                     FROM consumers known WHERE known.environment_id = usage.environment_id AND known.id = usage.consumer_id), true)
    THEN usage.consumer_events + EXCLUDED.consumer_events END${replays.update}
  RETURNING 1`;
}
