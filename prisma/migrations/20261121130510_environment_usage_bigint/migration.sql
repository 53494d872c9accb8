-- As tenant_usage: a row per environment and month.
ALTER TABLE "environment_usage" ALTER COLUMN "events_used" SET DATA TYPE BIGINT;
