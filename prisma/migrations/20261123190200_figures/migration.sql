-- Figures and usage (decision 36). What accepts an event or ends an attempt appends what it counts to a table of deltas in its own
-- transaction; a sweep folds these rows. So the figures are exact, nothing waits for a row that others write, and nothing scans runs.

CREATE TABLE "stats_deltas" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY,
  "environment_id" UUID NOT NULL,
  "minute" TIMESTAMPTZ(0) NOT NULL,
  "channel_id" UUID NOT NULL,
  -- The name of the sender in its channel; empty without one.
  "sender" TEXT NOT NULL DEFAULT '',
  "event_key" TEXT NOT NULL,
  "error_code" TEXT NOT NULL,
  "latency_bucket" SMALLINT NOT NULL,
  "accepted" INTEGER NOT NULL,
  "delivered" INTEGER NOT NULL,
  "failed" INTEGER NOT NULL,
  "attempts" INTEGER NOT NULL,
  "bounced" INTEGER NOT NULL DEFAULT 0,
  "complained" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "stats_deltas_pkey" PRIMARY KEY ("id")
);

-- By minute and by hour.
CREATE TABLE "stats" (
  "environment_id" UUID NOT NULL,
  "span_seconds" SMALLINT NOT NULL,
  "start" TIMESTAMPTZ(0) NOT NULL,
  "channel_id" UUID NOT NULL,
  "sender" TEXT NOT NULL DEFAULT '',
  "event_key" TEXT NOT NULL,
  "error_code" TEXT NOT NULL,
  "latency_bucket" SMALLINT NOT NULL,
  "accepted" BIGINT NOT NULL,
  "delivered" BIGINT NOT NULL,
  "failed" BIGINT NOT NULL,
  "attempts" BIGINT NOT NULL,
  "bounced" BIGINT NOT NULL DEFAULT 0,
  "complained" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "stats_pkey" PRIMARY KEY ("environment_id", "span_seconds", "start", "channel_id", "sender", "event_key",
                                       "error_code", "latency_bucket")
);
-- Old figures are removed in the order of time.
CREATE INDEX "stats_span_seconds_start_idx" ON "stats"("span_seconds", "start");
-- The report of what needs attention adds up the failed templates of an hour.
CREATE INDEX "stats_render_failures" ON "stats" ("environment_id", "start")
  WHERE "span_seconds" = 60 AND "error_code" = 'template_render_failed';

-- The environments with the most complaints are found without reading other figures.
CREATE INDEX "stats_complaints" ON "stats" ("start") WHERE "span_seconds" = 3600 AND "complained" > 0;

-- The event keys that an environment's figures name. Clients choose event keys, so their number is bounded: the figures of the other
-- keys are summed.
CREATE TABLE "stats_event_keys" (
  "environment_id" UUID NOT NULL,
  "event_key" TEXT NOT NULL,
  "used_on" DATE NOT NULL,
  CONSTRAINT "stats_event_keys_pkey" PRIMARY KEY ("environment_id", "event_key")
);

-- The attempts of a channel that have failed since its last success, so that failing channels are found without adding up figures.
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

-- The runs of a month by kind of channel and outcome.
CREATE TABLE "delivery_usage" (
  "environment_id" UUID NOT NULL,
  "period_start" DATE NOT NULL,
  "channel_kind" TEXT NOT NULL,
  "pending" BIGINT NOT NULL,
  "succeeded" BIGINT NOT NULL,
  "failed" BIGINT NOT NULL,
  "cancelled" BIGINT NOT NULL,
  CONSTRAINT "delivery_usage_pkey" PRIMARY KEY ("environment_id", "period_start", "channel_kind")
);
CREATE TABLE "delivery_usage_deltas" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY,
  "environment_id" UUID NOT NULL,
  "period_start" DATE NOT NULL,
  "channel_kind" TEXT NOT NULL,
  "pending" INTEGER NOT NULL,
  "succeeded" INTEGER NOT NULL,
  "failed" INTEGER NOT NULL,
  "cancelled" INTEGER NOT NULL,
  CONSTRAINT "delivery_usage_deltas_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "delivery_usage_deltas_environment_id_idx" ON "delivery_usage_deltas"("environment_id");

-- Only packages/channels knows the kinds of channel.
ALTER TABLE "removed_deliveries" DROP CONSTRAINT "removed_deliveries_kind";

-- Row-level security: see 20261123190000_configuration.
ALTER TABLE "stats_deltas" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "stats_deltas_in_scope" ON "stats_deltas" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "stats" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "stats_in_scope" ON "stats" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "stats_event_keys" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "stats_event_keys_in_scope" ON "stats_event_keys" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "channel_failures" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "channel_failures_in_scope" ON "channel_failures" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "delivery_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "delivery_usage_in_scope" ON "delivery_usage" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "delivery_usage_deltas" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "delivery_usage_deltas_in_scope" ON "delivery_usage_deltas" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "environment_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "environment_usage_in_scope" ON "environment_usage" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "removed_deliveries" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "removed_deliveries_in_scope" ON "removed_deliveries" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- Large tables are vacuumed earlier: see 20261123190000_configuration.
ALTER TABLE "stats" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
ALTER TABLE "stats_deltas" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
