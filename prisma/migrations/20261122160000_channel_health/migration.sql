-- Why a run waits although its time has come: 'paused' while its channel is, 'probe' when it may try a paused channel. A held run is
-- due in the year 9999, so that nothing that looks for due runs, also of the release before, finds it (decision 45).
-- All columns are nullable or have a constant default: nothing is rewritten.
ALTER TABLE "delivery_runs" ADD COLUMN "held" TEXT;
-- Whether runs of the channel wait, in the row that a claim reads anyway; when it warns, pauses and gives up, null for the defaults.
ALTER TABLE "channels"
  ADD COLUMN "paused" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "failure_policy" JSONB;

-- How a channel has fared: written on changes of the state, at most every ten seconds for successes, and for the first hundred failures.
CREATE TABLE "channel_health" (
  "channel_id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'ok',
  "reason" TEXT,
  "failing_since" TIMESTAMPTZ(3),
  "failures" INTEGER NOT NULL DEFAULT 0,
  "timeouts" INTEGER NOT NULL DEFAULT 0,
  "last_success_at" TIMESTAMPTZ(3),
  "next_probe_at" TIMESTAMPTZ(3),
  "probes" INTEGER NOT NULL DEFAULT 0,
  "probe_run_id" UUID,
  "release_rate" DOUBLE PRECISION,
  "released_at" TIMESTAMPTZ(3),
  "transitions" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "channel_health_pkey" PRIMARY KEY ("channel_id"),
  CONSTRAINT "channel_health_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id")
    REFERENCES "channels"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "channel_health_state" CHECK ("state" IN ('ok', 'failing', 'paused')),
  CONSTRAINT "channel_health_counts" CHECK (
    "failures" >= 0 AND "timeouts" >= 0 AND "probes" >= 0 AND "release_rate" > 0)
);
CREATE UNIQUE INDEX "channel_health_environment_id_channel_id_key" ON "channel_health"("environment_id", "channel_id");
-- The channels whose state may change: few, and mostly none.
CREATE INDEX "channel_health_unsettled" ON "channel_health" ("channel_id")
  WHERE "state" <> 'ok' OR "failing_since" IS NOT NULL;
