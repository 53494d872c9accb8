-- Whether a report is about a copy's address (cc, bcc) and not about the recipient of the run. A constant default: no row is rewritten.
ALTER TABLE "run_feedback" ADD COLUMN "of_copy" BOOLEAN NOT NULL DEFAULT false;
