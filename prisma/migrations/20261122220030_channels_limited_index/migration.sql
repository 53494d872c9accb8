-- The channels that have a limit, by which a sweep finds those with runs that wait.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "channels_limited" ON "channels" ("id")
  WHERE "max_per_second" IS NOT NULL OR "max_in_flight" IS NOT NULL;
