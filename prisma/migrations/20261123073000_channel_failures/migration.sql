-- The attempts of a channel that have failed since its last success, kept by the sweep that folds figures: which channels fail is
-- read without adding up the figures of a day.
CREATE TABLE "channel_failures" (
  "channel_id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "failures" BIGINT NOT NULL,
  "failing_since" TIMESTAMPTZ(0) NOT NULL,
  "failed_at" TIMESTAMPTZ(0) NOT NULL,
  "last_error_code" TEXT NOT NULL,
  CONSTRAINT "channel_failures_pkey" PRIMARY KEY ("channel_id")
);
CREATE INDEX "channel_failures_environment_id_idx" ON "channel_failures"("environment_id");
-- Those with most failures first.
CREATE INDEX "channel_failures_failures_idx" ON "channel_failures"("failures");

-- See 20261122040000_environments_policy.
ALTER TABLE "channel_failures" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "channel_failures_in_scope" ON "channel_failures" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
