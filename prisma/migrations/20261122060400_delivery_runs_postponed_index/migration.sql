-- Leads the search for runs that wait for their time, newest message first: scheduled ones have one, retrying ones an error.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_postponed" ON "delivery_runs" ("environment_id", "message_id")
  WHERE "completed_at" IS NULL AND ("scheduled_at" IS NOT NULL OR "last_error_code" IS NOT NULL);
