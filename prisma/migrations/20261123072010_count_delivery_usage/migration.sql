-- Counts the runs of this month once. One statement, and so one view of the database: the runs that it sees are counted here, with
-- the rows that say so, and all others by the rows of their triggers.
WITH counted AS (DELETE FROM "delivery_usage_deltas"), month AS (
  SELECT date_trunc('month', now() AT TIME ZONE 'UTC') AS start
)
INSERT INTO "delivery_usage" ("environment_id", "period_start", "channel_kind", "pending", "succeeded", "failed", "cancelled")
SELECT environment_id, month.start::date, channel_kind, sum(pending), sum(succeeded), sum(failed), sum(cancelled)
  FROM month CROSS JOIN LATERAL (
    SELECT run.environment_id, run.channel_kind, count(*) FILTER (WHERE run.completed_at IS NULL) AS pending,
           count(*) FILTER (WHERE run.status = 'succeeded') AS succeeded,
           count(*) FILTER (WHERE run.status = 'failed') AS failed,
           count(*) FILTER (WHERE run.status = 'cancelled') AS cancelled
      FROM "delivery_runs" run
      JOIN "messages" message ON message.environment_id = run.environment_id AND message.id = run.message_id
     WHERE run.created_at >= month.start AT TIME ZONE 'UTC' AND NOT message.test AND message.operational IS NOT TRUE
     GROUP BY 1, 2
    UNION ALL
    SELECT environment_id, channel_kind, 0, COALESCE(sum(runs) FILTER (WHERE status = 'succeeded'), 0),
           COALESCE(sum(runs) FILTER (WHERE status = 'failed'), 0), COALESCE(sum(runs) FILTER (WHERE status = 'cancelled'), 0)
      FROM "removed_deliveries" WHERE period_start = month.start::date GROUP BY 1, 2) AS part
 GROUP BY 1, 2, 3;
