-- The search of operators over an environment's messages, and bulk replay.

-- The code of a run's newest attempt that ended with an error, so that an index can lead a search for it. Runs that ended
-- before have none: filling it in would rewrite the largest table there is. The indexes follow in migrations of their own.
ALTER TABLE "delivery_runs" ADD COLUMN "last_error_code" TEXT;

-- A trigger, because five statements close attempts: none of them can forget it. It costs attempts that succeed nothing,
-- and a retry that fails as the one before a look at the row.
CREATE FUNCTION "postrider_note_last_error"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "delivery_runs" SET "last_error_code" = NEW."error_code"
   WHERE "id" = NEW."run_id" AND "last_error_code" IS DISTINCT FROM NEW."error_code";
  RETURN NULL;
END;
$$;

CREATE TRIGGER "attempts_note_last_error" AFTER INSERT OR UPDATE ON "attempts"
  FOR EACH ROW WHEN (NEW."error_code" IS NOT NULL) EXECUTE FUNCTION "postrider_note_last_error"();

CREATE TABLE "replay_batches" (
  "id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT,
  "filter" JSONB NOT NULL,
  "channel_ids" UUID[],
  "messages_per_second" INTEGER NOT NULL,
  "matched" INTEGER NOT NULL,
  "matched_is_lower_bound" BOOLEAN NOT NULL,
  "replayed" INTEGER NOT NULL DEFAULT 0,
  "skipped" JSONB NOT NULL DEFAULT '{}',
  "position" UUID,
  "pace" DOUBLE PRECISION,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "started_at" TIMESTAMPTZ(3),
  "completed_at" TIMESTAMPTZ(3),
  CONSTRAINT "replay_batches_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "replay_batches_status" CHECK ("status" IN ('pending', 'running', 'completed', 'cancelled', 'failed')),
  CONSTRAINT "replay_batches_reason" CHECK (
    "reason" IN ('quota_exceeded', 'payment_required', 'too_many_open_runs')),
  CONSTRAINT "replay_batches_failure_has_reason" CHECK (
    "status" <> 'failed' OR "reason" IN ('quota_exceeded', 'payment_required')),
  CONSTRAINT "replay_batches_terminal_is_completed" CHECK (
    ("status" IN ('completed', 'cancelled', 'failed')) = ("completed_at" IS NOT NULL)),
  CONSTRAINT "replay_batches_counts" CHECK ("messages_per_second" > 0 AND "matched" >= 0 AND "replayed" >= 0)
);

ALTER TABLE "replay_batches" ADD CONSTRAINT "replay_batches_environment_id_fkey"
  FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE INDEX "replay_batches_environment_id_id_idx" ON "replay_batches" ("environment_id", "id");

-- One at a time in an environment: two that overlap would deliver the same messages twice. Also what the workers look up.
CREATE UNIQUE INDEX "replay_batches_one_open" ON "replay_batches" ("environment_id")
  WHERE "status" IN ('pending', 'running');
