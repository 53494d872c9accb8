-- The addresses in copy that an attempt left out because they are suppressed, or that the server refused, with the reason.
ALTER TABLE "attempts" ADD COLUMN "skipped_copies" JSONB;
