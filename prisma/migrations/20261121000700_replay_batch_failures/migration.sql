-- A page that fails is tried again later and later, for all workers, and not for ever.
ALTER TABLE "replay_batches"
  ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "last_error_code" TEXT,
  ADD COLUMN "retry_at" TIMESTAMPTZ(3),
  DROP CONSTRAINT "replay_batches_reason",
  DROP CONSTRAINT "replay_batches_failure_has_reason",
  ADD CONSTRAINT "replay_batches_reason" CHECK (
    "reason" IN ('quota_exceeded', 'payment_required', 'page_failed', 'too_many_open_runs')),
  ADD CONSTRAINT "replay_batches_failure_has_reason" CHECK (
    "status" <> 'failed' OR "reason" IN ('quota_exceeded', 'payment_required', 'page_failed')),
  ADD CONSTRAINT "replay_batches_page_failure_has_code" CHECK (
    "failures" >= 0 AND ("reason" IS DISTINCT FROM 'page_failed' OR "last_error_code" IS NOT NULL));
