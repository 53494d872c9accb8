-- Leads the search for runs that wait for their time, newest message first.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_deferred" ON "delivery_runs" ("environment_id", "message_id")
  WHERE "status" IN ('scheduled', 'retrying');
