-- Erasure of one recipient's data.
ALTER TABLE "messages" ADD COLUMN "erased_at" TIMESTAMPTZ(3);

CREATE TABLE "erasures" (
  "id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "status" TEXT NOT NULL,
  "recipient_email" TEXT,
  "recipient_sha256" TEXT NOT NULL,
  "messages_erased" INTEGER NOT NULL DEFAULT 0,
  "runs_cancelled" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "started_at" TIMESTAMPTZ(3),
  "completed_at" TIMESTAMPTZ(3),
  CONSTRAINT "erasures_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "erasures_status" CHECK ("status" IN ('pending', 'running', 'completed')),
  CONSTRAINT "erasures_completed" CHECK (("status" = 'completed') = ("completed_at" IS NOT NULL)),
  -- The address is known for as long as it is looked for, and no longer.
  CONSTRAINT "erasures_address_while_open" CHECK (("status" = 'completed') = ("recipient_email" IS NULL)),
  CONSTRAINT "erasures_counts" CHECK ("messages_erased" >= 0 AND "runs_cancelled" >= 0)
);

ALTER TABLE "erasures" ADD CONSTRAINT "erasures_environment_id_fkey"
  FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE INDEX "erasures_environment_id_id_idx" ON "erasures" ("environment_id", "id");
CREATE INDEX "erasures_open" ON "erasures" ("id") WHERE "completed_at" IS NULL;

-- Only a new error code is a new error: an erasure rewrites the texts of old attempts, in any order.
DROP TRIGGER "attempts_note_last_error" ON "attempts";
CREATE TRIGGER "attempts_note_last_error" AFTER INSERT OR UPDATE OF "error_code" ON "attempts"
  FOR EACH ROW WHEN (NEW."error_code" IS NOT NULL) EXECUTE FUNCTION "postrider_note_last_error"();
