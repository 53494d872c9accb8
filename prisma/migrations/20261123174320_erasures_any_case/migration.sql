-- An open erasure of an address in any case. A worker of the release before does not clear this, so it cannot complete the erasure: it
-- does not find all of its messages.
ALTER TABLE "erasures" ADD COLUMN "any_case" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_any_case_while_open" CHECK (NOT ("any_case" AND "status" = 'completed'));
