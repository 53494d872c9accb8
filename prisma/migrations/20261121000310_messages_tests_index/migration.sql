-- Bounds test sends per minute, and takes their runs out of the usage figures.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "messages_tests" ON "messages" ("environment_id", "id") WHERE "test";
