-- See 20261122232000_run_checks.
ALTER TABLE "idempotency_records"
  DROP CONSTRAINT "idempotency_records_operation",
  DROP CONSTRAINT "idempotency_records_fingerprint_length",
  DROP CONSTRAINT "idempotency_records_success_only",
  ADD CONSTRAINT "idempotency_records_response" CHECK (
    octet_length("fingerprint") = 32 AND "response_status" BETWEEN 200 AND 299 AND
    "operation" = ANY ('{events.create,messages.replay,delivery-runs.cancel}')) NOT VALID;
