-- Finds the messages with a `recipient.id`, for erasures. By its hash, because an entry of an index has at most 2,704 bytes. Alone
-- in its migration, which is therefore no transaction.
CREATE INDEX CONCURRENTLY "messages_recipient_id" ON "messages" ("environment_id", hashtextextended("recipient" ->> 'id', 0), "id")
  WHERE ("recipient" ->> 'id') IS NOT NULL;
