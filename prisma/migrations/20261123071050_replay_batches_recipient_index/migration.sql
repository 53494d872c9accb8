-- Each page of an erasure looks for its address in the filters of bulk replays.
-- Alone in its migration, which is therefore no transaction: built concurrently, it blocks no write.
CREATE INDEX CONCURRENTLY "replay_batches_recipient" ON "replay_batches" ("environment_id", lower("filter" ->> 'recipient_email'))
  WHERE ("filter" ->> 'recipient_email') IS NOT NULL;
