-- Finds the messages whose address was stored with upper case in its domain, which the running release still does and
-- later ones do not: next to empty, and no row of a big table is changed. Alone in its migration, which is therefore no
-- transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "messages_domain_case" ON "messages" ("environment_id", lower("recipient_email"), "id")
  WHERE "recipient_email" ~ '@.*[A-Z]';
