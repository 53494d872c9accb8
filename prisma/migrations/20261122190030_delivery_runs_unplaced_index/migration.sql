-- Scheduled runs of ordered channels, which get their places when they fall due. No entry for any other run.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_unplaced" ON "delivery_runs" ("scheduled_at", "id")
  WHERE "ordering_key" IS NOT NULL AND "sequence" IS NULL AND "completed_at" IS NULL;
