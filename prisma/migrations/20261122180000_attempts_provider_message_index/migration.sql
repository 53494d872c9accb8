-- Finds the run of feedback that names only the provider's own id of the message. A hash, because such an id may be of any length.
-- Most attempts have none. Built concurrently, see 20261122060200_attempts_open_index.
CREATE INDEX CONCURRENTLY "attempts_provider_message" ON "attempts" USING hash ("provider_message_id")
  WHERE "provider_message_id" IS NOT NULL;
