-- Figures by minute and by hour. What accepts an event or ends an attempt appends what it counts to "stats_deltas" in its own
-- transaction, one row for what a batch has in common; a sweep folds these rows into "stats". So the figures are exact, nobody waits
-- for a row that others write, and nothing scans runs.
CREATE TABLE "stats_deltas" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY,
  "environment_id" UUID NOT NULL,
  "minute" TIMESTAMPTZ(0) NOT NULL,
  "channel_id" UUID NOT NULL,
  "event_key" TEXT NOT NULL,
  "error_code" TEXT NOT NULL,
  "latency_bucket" SMALLINT NOT NULL,
  "accepted" INTEGER NOT NULL,
  "delivered" INTEGER NOT NULL,
  "failed" INTEGER NOT NULL,
  "attempts" INTEGER NOT NULL,
  CONSTRAINT "stats_deltas_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "stats" (
  "environment_id" UUID NOT NULL,
  "span_seconds" SMALLINT NOT NULL,
  "start" TIMESTAMPTZ(0) NOT NULL,
  "channel_id" UUID NOT NULL,
  "event_key" TEXT NOT NULL,
  "error_code" TEXT NOT NULL,
  "latency_bucket" SMALLINT NOT NULL,
  "accepted" BIGINT NOT NULL,
  "delivered" BIGINT NOT NULL,
  "failed" BIGINT NOT NULL,
  "attempts" BIGINT NOT NULL,
  CONSTRAINT "stats_pkey" PRIMARY KEY ("environment_id", "span_seconds", "start", "channel_id", "event_key", "error_code",
                                       "latency_bucket")
);

-- What is too old is removed in the order of time.
CREATE INDEX "stats_span_seconds_start_idx" ON "stats"("span_seconds", "start");
