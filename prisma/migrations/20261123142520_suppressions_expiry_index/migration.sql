-- The suppressions that end, for the sweep that removes them. Alone in its migration, which is therefore no transaction.
CREATE INDEX CONCURRENTLY "suppressions_expiry" ON "suppressions" ("expires_at") WHERE "expires_at" IS NOT NULL;
