-- Bounds the runs of replays that an environment has open.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_replaying" ON "delivery_runs" ("environment_id")
  WHERE "replay" > 0 AND "completed_at" IS NULL;
