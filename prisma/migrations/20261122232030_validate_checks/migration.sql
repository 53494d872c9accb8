-- Reads the three tables and blocks no writes.
ALTER TABLE "delivery_runs" VALIDATE CONSTRAINT "delivery_runs_status", VALIDATE CONSTRAINT "delivery_runs_counts";
ALTER TABLE "attempts" VALIDATE CONSTRAINT "attempts_status";
ALTER TABLE "idempotency_records" VALIDATE CONSTRAINT "idempotency_records_response";
