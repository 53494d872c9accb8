-- Suppressions that end, as those after soft bounces do; null: it stays. The release before takes one for good until a sweep removes it.
ALTER TABLE "suppressions" ADD COLUMN "expires_at" TIMESTAMPTZ(3);
ALTER TABLE "suppressions" DROP CONSTRAINT "suppressions_source";
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_source"
  CHECK ("source" IN ('hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe', 'manual', 'import')) NOT VALID;

-- How many soft bounces in a row, within how many days, suppress an address for how many days. A limit of 0: none do.
ALTER TABLE "environments"
  ADD COLUMN "soft_bounce_limit" INTEGER NOT NULL DEFAULT 5
    CONSTRAINT "environments_soft_bounce_limit_check" CHECK ("soft_bounce_limit" BETWEEN 0 AND 100),
  ADD COLUMN "soft_bounce_days" INTEGER NOT NULL DEFAULT 7
    CONSTRAINT "environments_soft_bounce_days_check" CHECK ("soft_bounce_days" BETWEEN 1 AND 90),
  ADD COLUMN "soft_bounce_pause_days" INTEGER NOT NULL DEFAULT 7
    CONSTRAINT "environments_soft_bounce_pause_days_check" CHECK ("soft_bounce_pause_days" BETWEEN 1 AND 365);
