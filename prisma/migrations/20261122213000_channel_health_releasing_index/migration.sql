-- The channels whose held runs are being released: few, and mostly none. Every worker reads them every second.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "channel_health_releasing" ON "channel_health" ("channel_id") WHERE "release_rate" IS NOT NULL;
