-- Removal of messages that are older than their plan keeps them: contract section 8, `retention_days`.

-- Where the removal is, and when it may go on: one row, which whoever removes a batch holds. So it goes at one pace,
-- however many workers there are, and goes on where a worker that was lost has left it.
CREATE TABLE "retention_turn" (
  "id" INTEGER NOT NULL,
  "environment_id" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  "position" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "retention_turn_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "retention_turn_one_row" CHECK ("id" = 1)
);
INSERT INTO "retention_turn" ("id") VALUES (1);

-- The runs that were removed, as the usage figures count them: by the month (UTC) in which they were made.
CREATE TABLE "removed_deliveries" (
  "environment_id" UUID NOT NULL,
  "period_start" DATE NOT NULL,
  "channel_kind" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "runs" INTEGER NOT NULL,
  CONSTRAINT "removed_deliveries_pkey" PRIMARY KEY ("environment_id", "period_start", "channel_kind", "status"),
  CONSTRAINT "removed_deliveries_kind" CHECK ("channel_kind" IN ('email', 'webhook')),
  CONSTRAINT "removed_deliveries_status" CHECK ("status" IN ('succeeded', 'failed', 'cancelled')),
  CONSTRAINT "removed_deliveries_runs" CHECK ("runs" > 0)
);

ALTER TABLE "removed_deliveries" ADD CONSTRAINT "removed_deliveries_environment_id_fkey"
  FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
