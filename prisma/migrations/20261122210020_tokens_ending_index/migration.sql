-- Tokens that end, for the report of those that do so soon.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "tokens_ending" ON "tokens" ("environment_id", "expires_at")
  WHERE "revoked_at" IS NULL AND "expires_at" IS NOT NULL;
