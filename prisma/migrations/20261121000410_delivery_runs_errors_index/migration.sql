-- Leads the search for an error, newest message first. Partial, so that a run that succeeds at once costs nothing.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_errors" ON "delivery_runs" ("environment_id", "last_error_code", "message_id")
  WHERE "last_error_code" IS NOT NULL;
