-- The attempts that a worker has in hand, or had when it was lost: as many as the workers have slots.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "attempts_open" ON "attempts" ("started_at") WHERE "completed_at" IS NULL;
