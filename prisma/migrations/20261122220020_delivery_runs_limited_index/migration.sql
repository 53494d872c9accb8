-- The open leases of channels with max_in_flight. No entry for any other run, and no claim of another channel changes "limited"
-- (decision 35). Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_limited" ON "delivery_runs" ("channel_id")
  WHERE "limited" AND "completed_at" IS NULL;
