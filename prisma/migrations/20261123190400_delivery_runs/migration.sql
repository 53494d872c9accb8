-- Delivery runs, and reports about them. New columns are null or have a constant default, so that no row is rewritten. The indexes
-- are in 20261123190700_indexes.
-- Row-level security: see 20261123190000_configuration.
ALTER TABLE "delivery_runs" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "delivery_runs_in_scope" ON "delivery_runs" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

ALTER TABLE "delivery_runs"
  -- How many workers in a row were lost while they had the run. The release before leaves it at 0.
  ADD COLUMN "lost_workers" SMALLINT NOT NULL DEFAULT 0,
  -- Why a run waits although it is due (decision 45). A held run is due in the year 9999, so that nothing that looks for due runs
  -- finds it, also of the release before.
  ADD COLUMN "held" TEXT,
  -- Null except for the runs of an ordered channel; "sequence" is null until a scheduled run is due. A claim changes neither.
  ADD COLUMN "ordering_key" TEXT COLLATE "C",
  ADD COLUMN "sequence" BIGINT,
  -- Set by the claim of a run whose channel has max_in_flight, and null for all others.
  ADD COLUMN "limited" BOOLEAN,
  -- True for the run of a test, which waits neither for limits nor behind a backlog; otherwise null. It never changes.
  ADD COLUMN "test" BOOLEAN,
  -- The checks of 0.1.0 in fewer and shorter expressions, because PostgreSQL parses the checks of a table in every statement that
  -- writes it. Existing rows have passed the old checks; 20261123190600_existing_rows validates these.
  DROP CONSTRAINT "delivery_runs_kind",
  DROP CONSTRAINT "delivery_runs_status",
  DROP CONSTRAINT "delivery_runs_scheduled_has_time",
  DROP CONSTRAINT "delivery_runs_running_has_lease",
  DROP CONSTRAINT "delivery_runs_terminal_is_completed",
  DROP CONSTRAINT "delivery_runs_counts",
  ADD CONSTRAINT "delivery_runs_status" CHECK (
    CASE WHEN "completed_at" IS NOT NULL THEN "lease_until" IS NULL AND "status" = ANY ('{succeeded,failed,cancelled}')
         WHEN "lease_until" IS NOT NULL THEN "status" = 'running'
         WHEN "status" = 'scheduled' THEN "scheduled_at" IS NOT NULL
         ELSE "status" = ANY ('{queued,retrying}') END) NOT VALID,
  ADD CONSTRAINT "delivery_runs_counts" CHECK (
    LEAST("replay", "attempt_count", "fence", "max_attempts" - 1) >= 0) NOT VALID;

-- Room on a page for the version of each run that a claim makes: otherwise the version is on another page and in every index
-- (decision 35). Holds for pages that are filled from now on. Large tables are vacuumed earlier: see 20261123190000_configuration.
ALTER TABLE "delivery_runs" SET (fillfactor = 50);
ALTER TABLE "delivery_runs" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);

-- The ends of ordered runs, also those that the release before ends. It costs other runs one comparison with null.
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

-- Usage is counted by triggers, because several statements make and end runs, also those of the release before. A claim costs
-- nothing. The runs of tests and of operational messages are not counted.
CREATE FUNCTION "postrider_count_new_runs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "delivery_usage_deltas"
    ("environment_id", "period_start", "channel_kind", "pending", "succeeded", "failed", "cancelled")
  SELECT run."environment_id", date_trunc('month', run."created_at" AT TIME ZONE 'UTC')::date, run."channel_kind",
         count(*) FILTER (WHERE run."completed_at" IS NULL), count(*) FILTER (WHERE run."status" = 'succeeded'),
         count(*) FILTER (WHERE run."status" = 'failed'), count(*) FILTER (WHERE run."status" = 'cancelled')
    FROM added run
   WHERE NOT EXISTS (
     SELECT FROM "messages" message
      WHERE message."environment_id" = run."environment_id" AND message."id" = run."message_id"
        AND (message."test" OR message."operational"))
   GROUP BY 1, 2, 3;
  RETURN NULL;
END;
$$;
CREATE FUNCTION "postrider_count_ended_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "messages" message
              WHERE message."environment_id" = NEW."environment_id" AND message."id" = NEW."message_id"
                AND (message."test" OR message."operational")) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "delivery_usage_deltas"
    ("environment_id", "period_start", "channel_kind", "pending", "succeeded", "failed", "cancelled")
  VALUES (NEW."environment_id", date_trunc('month', NEW."created_at" AT TIME ZONE 'UTC')::date, NEW."channel_kind", -1,
          (NEW."status" = 'succeeded')::int, (NEW."status" = 'failed')::int, (NEW."status" = 'cancelled')::int);
  RETURN NULL;
END;
$$;
CREATE TRIGGER "delivery_runs_count_new" AFTER INSERT ON "delivery_runs"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "postrider_count_new_runs"();
CREATE TRIGGER "delivery_runs_count_ended" AFTER UPDATE OF "completed_at" ON "delivery_runs"
  FOR EACH ROW WHEN (OLD."completed_at" IS NULL AND NEW."completed_at" IS NOT NULL)
  EXECUTE FUNCTION "postrider_count_ended_run"();

-- Reports of providers and mail servers about an email after they took it (decision 41). A table of its own, so that the run's row,
-- which claims and results write, keeps its size and its indexes.
CREATE TABLE "run_feedback" (
  "run_id" UUID NOT NULL,
  "event_digest" BYTEA NOT NULL,
  "environment_id" UUID NOT NULL,
  "type" TEXT NOT NULL,
  "permanent" BOOLEAN NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "reason" TEXT,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Whether it is about the address of a copy (cc, bcc) and not about the recipient of the run.
  "of_copy" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "run_feedback_pkey" PRIMARY KEY ("run_id", "event_digest"),
  CONSTRAINT "run_feedback_type_check"
    CHECK ("type" IN ('delivered', 'bounced', 'complained', 'deferred', 'unsubscribed')),
  CONSTRAINT "run_feedback_run_id_fkey"
    FOREIGN KEY ("run_id") REFERENCES "delivery_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- The newest reports of an environment, for its stream of events.
CREATE INDEX "run_feedback_environment_id_received_at_idx" ON "run_feedback"("environment_id", "received_at");
ALTER TABLE "run_feedback" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "run_feedback_in_scope" ON "run_feedback" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "run_feedback" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
