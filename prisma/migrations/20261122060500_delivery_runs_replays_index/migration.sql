-- The runs of replays: the other runs of a month are found by the ids of their messages, which are as old as they are.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_replays" ON "delivery_runs" ("environment_id", "created_at")
  WHERE "replay" > 0;
