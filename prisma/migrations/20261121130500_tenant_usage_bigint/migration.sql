-- An unlimited tenant may use more than an integer holds. The table has a row per tenant and month: rewriting it is short.
-- A migration for each table: no transaction holds one of them locked while it waits for another.
ALTER TABLE "tenant_usage" ALTER COLUMN "events_used" SET DATA TYPE BIGINT;
