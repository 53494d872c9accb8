-- The runs of a key by their places. No entry for any other run; no claim changes a column of it (decision 35).
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_ordered" ON "delivery_runs" ("channel_id", "ordering_key", "sequence")
  WHERE "sequence" IS NOT NULL;
