-- "messages_requests" serves its look-ups. Alone in its migration, which is therefore no transaction.
DROP INDEX CONCURRENTLY IF EXISTS "messages_lookup";
