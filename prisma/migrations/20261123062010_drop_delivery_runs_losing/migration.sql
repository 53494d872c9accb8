-- "delivery_runs_lost_workers" serves its search. Alone in its migration, which is therefore no transaction.
DROP INDEX CONCURRENTLY IF EXISTS "delivery_runs_losing";
