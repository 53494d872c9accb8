-- Messages, their files and idempotency keys. New columns are null or have a constant default, so that no row is rewritten.
-- Row-level security: see 20261123190000_configuration.
ALTER TABLE "messages" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "messages_in_scope" ON "messages" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "idempotency_records" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "idempotency_records_in_scope" ON "idempotency_records" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

ALTER TABLE "messages"
  -- After this time no attempt of the event's own runs begins; null for never.
  ADD COLUMN "expires_at" TIMESTAMPTZ(3),
  -- The stream; null if it is transactional.
  ADD COLUMN "stream" TEXT,
  ADD COLUMN "ignore_suppression" BOOLEAN NOT NULL DEFAULT false,
  -- Whether it reports an operational event.
  ADD COLUMN "operational" BOOLEAN,
  ADD COLUMN "ordering_key" TEXT,
  ADD COLUMN "consumer_id" TEXT,
  ADD CONSTRAINT "messages_consumer_fkey" FOREIGN KEY ("environment_id", "consumer_id")
    REFERENCES "consumers"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- Finds messages by their recipients. PostgreSQL uses an index for a function only if no policy applies, or if it is leakproof, which
-- lower() and ->> are not: a search by a service's role would read all messages of the environment. The policy of "messages" does not
-- apply here, because a view reads with the rights of its owner. The condition is the same.
CREATE VIEW "message_recipients" AS
  SELECT "environment_id", "id", "created_at", "operational", "recipient_email",
         lower("recipient_email") COLLATE "C" AS "folded_email", "recipient" ->> 'id' AS "recipient_id"
    FROM "messages"
   WHERE (SELECT NOT row_security_active('"messages"'::regclass))
      OR (SELECT current_setting('postrider.environments', true) = 'all')
      OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                                 THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]);

-- Files of large events, apart from the payload so that nothing else reads them. They are removed with their message.
CREATE TABLE "message_files" (
  "environment_id" UUID NOT NULL,
  "message_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "content" BYTEA NOT NULL,
  CONSTRAINT "message_files_pkey" PRIMARY KEY ("environment_id", "message_id", "number"),
  CONSTRAINT "message_files_message_fkey" FOREIGN KEY ("environment_id", "message_id")
    REFERENCES "messages"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- Most files are compressed already.
ALTER TABLE "message_files" ALTER COLUMN "content" SET STORAGE EXTERNAL;
ALTER TABLE "message_files" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "message_files_in_scope" ON "message_files" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- The checks of 0.1.0 in one short expression, because PostgreSQL parses the checks of a table in every statement that writes it.
-- Existing rows have passed the old checks; 20261123190600_existing_rows validates this one.
ALTER TABLE "idempotency_records"
  DROP CONSTRAINT "idempotency_records_operation",
  DROP CONSTRAINT "idempotency_records_fingerprint_length",
  DROP CONSTRAINT "idempotency_records_success_only",
  ADD CONSTRAINT "idempotency_records_response" CHECK (
    octet_length("fingerprint") = 32 AND "response_status" BETWEEN 200 AND 299 AND
    "operation" = ANY ('{events.create,messages.replay,delivery-runs.cancel}')) NOT VALID;

-- Large tables are vacuumed earlier: see 20261123190000_configuration.
ALTER TABLE "messages" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
ALTER TABLE "idempotency_records" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
