-- What providers and mail servers report of a run's mail after it was taken. A table of its own, so that the run's row, which claims
-- and results write, keeps its size and its indexes.
CREATE TABLE "run_feedback" (
  "run_id" UUID NOT NULL,
  "event_digest" BYTEA NOT NULL,
  "environment_id" UUID NOT NULL,
  "type" TEXT NOT NULL,
  "permanent" BOOLEAN NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "reason" TEXT,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "run_feedback_pkey" PRIMARY KEY ("run_id", "event_digest"),
  CONSTRAINT "run_feedback_type_check"
    CHECK ("type" IN ('delivered', 'bounced', 'complained', 'deferred', 'unsubscribed')),
  CONSTRAINT "run_feedback_run_id_fkey"
    FOREIGN KEY ("run_id") REFERENCES "delivery_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The newest of an environment, for its stream.
CREATE INDEX "run_feedback_environment_id_received_at_idx" ON "run_feedback"("environment_id", "received_at");
