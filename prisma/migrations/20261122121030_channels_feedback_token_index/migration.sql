-- Finds the channel of a token. Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE UNIQUE INDEX CONCURRENTLY "channels_feedback_token_hash_key" ON "channels"("feedback_token_hash");
