-- Finds the messages to an address that has upper case before its `@`, for erasures, which ignore case. Alone in its
-- migration, which is therefore no transaction.
CREATE INDEX CONCURRENTLY "messages_local_case" ON "messages" ("environment_id", lower("recipient_email"), "id")
  WHERE "recipient_email" ~ '[A-Z].*@';
