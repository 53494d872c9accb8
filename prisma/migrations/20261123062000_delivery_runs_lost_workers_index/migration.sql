-- The open runs that lost a worker, by channel, oldest due first: few, and mostly none. In place of "delivery_runs_losing": the
-- search skips from channel to channel, so that the runs of one never hide those of another.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_lost_workers" ON "delivery_runs" ("channel_id", "due_at")
  WHERE "lost_workers" > 0 AND "completed_at" IS NULL;
