-- See 20261122232000_run_checks.
ALTER TABLE "attempts"
  DROP CONSTRAINT "attempts_number",
  DROP CONSTRAINT "attempts_status",
  DROP CONSTRAINT "attempts_closed_is_completed",
  DROP CONSTRAINT "attempts_failure_has_code",
  ADD CONSTRAINT "attempts_status" CHECK (
    "number" > 0 AND
    CASE WHEN "completed_at" IS NULL THEN "status" = 'running' AND "error_code" IS NULL
         WHEN "error_code" IS NULL THEN "status" = 'succeeded'
         ELSE "status" = ANY ('{failed,cancelled,unknown}') END) NOT VALID;
