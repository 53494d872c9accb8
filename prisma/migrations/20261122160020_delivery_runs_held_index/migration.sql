-- The held runs of a channel, oldest first; no entry for any other run. No claim changes a column of it but of a probe (decision 35).
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_held" ON "delivery_runs" ("held", "channel_id", "id")
  WHERE "held" IS NOT NULL AND "completed_at" IS NULL;
