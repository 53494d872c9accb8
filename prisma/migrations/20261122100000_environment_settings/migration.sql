-- What an environment does with an event that no channel takes, with a missing email template, and which idempotency keys it
-- takes. The defaults are what the release before does.
ALTER TABLE "environments"
  ADD COLUMN "unmatched_events" TEXT NOT NULL DEFAULT 'refuse'
    CONSTRAINT "environments_unmatched_events_check" CHECK ("unmatched_events" IN ('refuse', 'store')),
  ADD COLUMN "missing_email_template" TEXT NOT NULL DEFAULT 'refuse'
    CONSTRAINT "environments_missing_email_template_check" CHECK ("missing_email_template" IN ('refuse', 'skip')),
  ADD COLUMN "idempotency_keys" TEXT NOT NULL DEFAULT 'uuid'
    CONSTRAINT "environments_idempotency_keys_check" CHECK ("idempotency_keys" IN ('uuid', 'any'));
