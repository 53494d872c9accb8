-- Leads the search for a channel, newest message first.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "delivery_runs_channel_id_message_id_idx" ON "delivery_runs" ("channel_id", "message_id");
