-- Attempts. New columns are null, so that no row is rewritten. The indexes are in 20261123190700_indexes.
-- An attempt belongs to the environment of its run, whose policy decides.
ALTER TABLE "attempts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "attempts_in_scope" ON "attempts" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR EXISTS (SELECT FROM "delivery_runs" "run" WHERE "run"."id" = "run_id"));

ALTER TABLE "attempts"
  -- What it sent, as proof: SHA-256 of the content, and headers and address of the exchange. Null if nothing was sent, and before 0.2.
  ADD COLUMN "content_sha256" BYTEA,
  ADD COLUMN "exchange" JSONB,
  -- The sender of the channel that decided it, the provider's name of the message, and the senders that were tried before, with the
  -- outcome of each. Null before 0.2.
  ADD COLUMN "sender" TEXT,
  ADD COLUMN "provider_message_id" TEXT,
  ADD COLUMN "tried" JSONB,
  -- The addresses in copy that it left out because they are suppressed, or that the server refused, with the reason.
  ADD COLUMN "skipped_copies" JSONB,
  -- Only packages/channels knows the error codes. For the other checks see 20261123190400_delivery_runs.
  DROP CONSTRAINT "attempts_error_code",
  DROP CONSTRAINT "attempts_number",
  DROP CONSTRAINT "attempts_status",
  DROP CONSTRAINT "attempts_closed_is_completed",
  DROP CONSTRAINT "attempts_failure_has_code",
  ADD CONSTRAINT "attempts_status" CHECK (
    "number" > 0 AND
    CASE WHEN "completed_at" IS NULL THEN "status" = 'running' AND "error_code" IS NULL
         WHEN "error_code" IS NULL THEN "status" = 'succeeded'
         ELSE "status" = ANY ('{failed,cancelled,unknown}') END) NOT VALID;

-- Large tables are vacuumed earlier: see 20261123190000_configuration.
ALTER TABLE "attempts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
