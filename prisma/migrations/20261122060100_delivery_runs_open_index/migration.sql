-- The open runs of a channel, waiting or running, in the order in which they fall due. None of the indexes of runs has a column
-- that a claim changes, in its key or its predicate, so that the claim is a HOT update (decision 35).
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_open" ON "delivery_runs" ("channel_id", "due_at")
  WHERE "completed_at" IS NULL;
