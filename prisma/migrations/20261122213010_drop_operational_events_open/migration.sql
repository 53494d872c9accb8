-- The search goes by environment in "operational_events_waiting", and single events are found by their primary key: no statement needs
-- this index, and each event paid for two entries in it. Alone in its migration, which is therefore no transaction.
DROP INDEX CONCURRENTLY IF EXISTS "operational_events_open";
