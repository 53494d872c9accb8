-- Test sends: messages that an operator sends to one channel, outside quota and usage. A constant default: no row is
-- rewritten. The index follows in a migration of its own.
ALTER TABLE "messages" ADD COLUMN "test" BOOLEAN NOT NULL DEFAULT false;

-- A deleted channel's open runs are ended in batches; null until the last of them has ended.
ALTER TABLE "channels"
  ADD COLUMN "runs_ended_at" TIMESTAMPTZ(3),
  ADD CONSTRAINT "channels_runs_end_after_deletion" CHECK ("runs_ended_at" IS NULL OR "deleted_at" IS NOT NULL),
  -- Both or neither: a previous secret without an end would sign for ever.
  ADD CONSTRAINT "channels_previous_secret_expires" CHECK (
    ("sealed_previous_secret" IS NULL) = ("previous_secret_expires_at" IS NULL));

-- The sweeper: deleted channels that may have open runs, and secrets whose overlap is over.
CREATE INDEX "channels_ending" ON "channels" ("id") WHERE "deleted_at" IS NOT NULL AND "runs_ended_at" IS NULL;
CREATE INDEX "channels_previous_secrets" ON "channels" ("previous_secret_expires_at")
  WHERE "previous_secret_expires_at" IS NOT NULL;

-- The list of an environment's channels, newest first.
CREATE INDEX "channels_list" ON "channels" ("environment_id", "id") WHERE "deleted_at" IS NULL;
