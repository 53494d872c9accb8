-- What the service reports of itself. A change writes its row in its own transaction; a sweep makes messages of the rows for the
-- channels that are operational, once each (decision 46). All columns are nullable or have a constant default: nothing is rewritten.
ALTER TABLE "messages" ADD COLUMN "operational" BOOLEAN;
ALTER TABLE "channels"
  ADD COLUMN "operational" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "operational_email" TEXT;
CREATE INDEX "channels_operational" ON "channels" ("environment_id") WHERE "operational" AND "deleted_at" IS NULL;

CREATE TABLE "operational_events" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY,
  "environment_id" UUID NOT NULL,
  "type" TEXT NOT NULL,
  "dedupe_key" TEXT NOT NULL,
  "payload" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "dispatched_at" TIMESTAMPTZ(3),
  CONSTRAINT "operational_events_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "operational_events_dedupe_key_key" ON "operational_events"("dedupe_key");
CREATE INDEX "operational_events_open" ON "operational_events" ("id") WHERE "dispatched_at" IS NULL;
