-- Leads the search for runs that failed or were cancelled, newest message first; each of them has the code of an error.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_erred" ON "delivery_runs" ("environment_id", "message_id")
  WHERE "completed_at" IS NOT NULL AND "last_error_code" IS NOT NULL;
