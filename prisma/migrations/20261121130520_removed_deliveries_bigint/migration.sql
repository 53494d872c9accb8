-- As tenant_usage: a row per environment, month, kind and status.
ALTER TABLE "removed_deliveries" ALTER COLUMN "runs" SET DATA TYPE BIGINT;
