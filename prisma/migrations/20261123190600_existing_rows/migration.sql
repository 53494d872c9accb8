-- Reads large tables, and blocks no writes.
-- All locks first: a try that does not get one, because autovacuum has it, is rolled back before it has read a table.
LOCK TABLE "delivery_runs", "attempts", "idempotency_records" IN SHARE UPDATE EXCLUSIVE MODE;

-- The new checks, for existing rows.
ALTER TABLE "delivery_runs" VALIDATE CONSTRAINT "delivery_runs_status", VALIDATE CONSTRAINT "delivery_runs_counts";
ALTER TABLE "attempts" VALIDATE CONSTRAINT "attempts_status";
ALTER TABLE "idempotency_records" VALIDATE CONSTRAINT "idempotency_records_response";

-- Counts the runs of this month once. One statement has one view of the database: it counts the runs that it sees, and removes the rows
-- of their triggers. All other runs are counted by their triggers.
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

-- Audit entries from before the trigger wait for the chain, too. The trigger's migration has committed, so each entry is either seen
-- here or waits already; no lock is needed.
INSERT INTO "audit_unchained" ("entry_id")
SELECT "id" FROM "audit_log" entry
 WHERE NOT EXISTS (SELECT FROM "audit_chain" chained WHERE chained."entry_id" = entry."id")
ON CONFLICT ("entry_id") DO NOTHING;
