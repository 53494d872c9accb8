-- How fast a channel may be sent to (decision 49). All columns are nullable: nothing is rewritten.
ALTER TABLE "channels"
  ADD COLUMN "max_per_second" DOUBLE PRECISION CHECK ("max_per_second" > 0),
  ADD COLUMN "max_in_flight" INTEGER CHECK ("max_in_flight" > 0);
-- Set by the claim of a run whose channel has max_in_flight, and null for all others.
ALTER TABLE "delivery_runs" ADD COLUMN "limited" BOOLEAN;

-- The rate of a limited channel: a row that is locked for each claim, and so narrow that its updates stay on its page.
CREATE TABLE "channel_limit_states" (
  "channel_id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "rate_state" DOUBLE PRECISION,
  "decided_at" TIMESTAMPTZ(6),
  "reserved_until" TIMESTAMPTZ(3),
  CONSTRAINT "channel_limit_states_pkey" PRIMARY KEY ("channel_id"),
  CONSTRAINT "channel_limit_states_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id")
    REFERENCES "channels"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 20);
CREATE UNIQUE INDEX "channel_limit_states_environment_id_channel_id_key"
  ON "channel_limit_states"("environment_id", "channel_id");
