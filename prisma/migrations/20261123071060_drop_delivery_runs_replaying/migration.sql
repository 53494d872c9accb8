-- "delivery_runs_replaying_since" serves its search. Alone in its migration, which is therefore no transaction.
DROP INDEX CONCURRENTLY IF EXISTS "delivery_runs_replaying";
