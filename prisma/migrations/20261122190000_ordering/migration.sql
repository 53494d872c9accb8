-- Runs of a channel in the order of their events' keys (decision 48). All columns are nullable or have a constant default: nothing
-- is rewritten.
ALTER TABLE "messages" ADD COLUMN "ordering_key" TEXT;
ALTER TABLE "channels"
  ADD COLUMN "ordering" TEXT NOT NULL DEFAULT 'none',
  ADD COLUMN "on_exhausted" TEXT NOT NULL DEFAULT 'block';
-- Both null but for the runs of an ordered channel; "sequence" is null until a scheduled run falls due. Neither changes with a claim.
ALTER TABLE "delivery_runs"
  ADD COLUMN "ordering_key" TEXT COLLATE "C",
  ADD COLUMN "sequence" BIGINT;

-- The place of each key of a channel. "turn" is the sequence of the run that may go; those behind it are held. Keys are locked in
-- the order of the primary key, which does not depend on a locale.
CREATE TABLE "ordering_keys" (
  "channel_id" UUID NOT NULL,
  "key" TEXT COLLATE "C" NOT NULL,
  "environment_id" UUID NOT NULL,
  "last_sequence" BIGINT NOT NULL,
  "turn" BIGINT NOT NULL DEFAULT 1,
  "blocked_at" TIMESTAMPTZ(3),
  "blocked_run_id" UUID,
  CONSTRAINT "ordering_keys_pkey" PRIMARY KEY ("channel_id", "key"),
  CONSTRAINT "ordering_keys_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id")
    REFERENCES "channels"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "ordering_keys_places" CHECK ("last_sequence" >= 0 AND "turn" BETWEEN 1 AND "last_sequence" + 1)
);
CREATE INDEX "ordering_keys_blocked" ON "ordering_keys" ("environment_id", "channel_id", "key") WHERE "blocked_at" IS NOT NULL;

-- Keys of which a run has ended: whoever ends one appends a row in the same transaction and locks nothing, so that it waits for no
-- acceptance and no acceptance for it. A worker moves the turn on.
CREATE TABLE "ordering_ends" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY,
  "channel_id" UUID NOT NULL,
  "key" TEXT COLLATE "C" NOT NULL,
  "environment_id" UUID NOT NULL,
  CONSTRAINT "ordering_ends_pkey" PRIMARY KEY ("id")
);

-- Also of runs that the release before ends. The condition costs other runs one comparison with null.
CREATE FUNCTION "postrider_note_ordered_end"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ordering_ends" ("channel_id", "key", "environment_id")
  VALUES (NEW."channel_id", NEW."ordering_key", NEW."environment_id");
  RETURN NULL;
END;
$$;
CREATE TRIGGER "delivery_runs_note_ordered_end" AFTER UPDATE OF "completed_at" ON "delivery_runs"
  FOR EACH ROW WHEN (NEW."sequence" IS NOT NULL AND NEW."completed_at" IS NOT NULL)
  EXECUTE FUNCTION "postrider_note_ordered_end"();
