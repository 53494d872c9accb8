-- How much needs attention in each environment, kept by a sweep of the workers: the overview reads those in which most does, and
-- not all environments.
CREATE TABLE "environment_attention" (
  "environment_id" UUID NOT NULL,
  "weight" DOUBLE PRECISION NOT NULL,
  "kept_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "environment_attention_pkey" PRIMARY KEY ("environment_id"),
  CONSTRAINT "environment_attention_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "environment_attention_needy" ON "environment_attention" ("weight") WHERE "weight" > 0;
-- A row for each channel: built in milliseconds.
CREATE INDEX "channel_health_paused" ON "channel_health" ("environment_id") WHERE "state" = 'paused';
-- Nothing reads the failing channels of all environments any more.
DROP INDEX "channel_failures_failures_idx";

-- See 20261122040000_environments_policy.
ALTER TABLE "environment_attention" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "environment_attention_in_scope" ON "environment_attention" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
