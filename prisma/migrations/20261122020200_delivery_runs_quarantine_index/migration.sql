-- The runs that wait after they lost a worker, oldest due first: few, and mostly none. Both columns change in statements that
-- change indexed columns anyway, so that it spoils no HOT update.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_quarantine" ON "delivery_runs" ("due_at")
  WHERE "lost_workers" > 0 AND "status" IN ('scheduled', 'queued', 'retrying');
