-- The open runs that lost a worker, oldest due first: few, and mostly none.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_losing" ON "delivery_runs" ("due_at")
  WHERE "lost_workers" > 0 AND "completed_at" IS NULL;
