-- The open runs of replays by their time: a bulk replay counts its own. In place of "delivery_runs_replaying".
-- Alone in its migration, which is therefore no transaction: built concurrently, it blocks no write.
CREATE INDEX CONCURRENTLY "delivery_runs_replaying_since" ON "delivery_runs" ("environment_id", "created_at")
  WHERE "replay" > 0 AND "completed_at" IS NULL;
