-- Reads the table and blocks no writes.
ALTER TABLE "suppressions" VALIDATE CONSTRAINT "suppressions_source";
