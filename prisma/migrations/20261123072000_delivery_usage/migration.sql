-- The runs made in a month by kind of channel and outcome, so that the usage is read without counting runs. What makes or ends runs
-- appends what it changes to "delivery_usage_deltas" in its own transaction and waits for nobody; a sweep folds these rows.
CREATE TABLE "delivery_usage" (
  "environment_id" UUID NOT NULL,
  "period_start" DATE NOT NULL,
  "channel_kind" TEXT NOT NULL,
  "pending" BIGINT NOT NULL,
  "succeeded" BIGINT NOT NULL,
  "failed" BIGINT NOT NULL,
  "cancelled" BIGINT NOT NULL,
  CONSTRAINT "delivery_usage_pkey" PRIMARY KEY ("environment_id", "period_start", "channel_kind")
);
CREATE TABLE "delivery_usage_deltas" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY,
  "environment_id" UUID NOT NULL,
  "period_start" DATE NOT NULL,
  "channel_kind" TEXT NOT NULL,
  "pending" INTEGER NOT NULL,
  "succeeded" INTEGER NOT NULL,
  "failed" INTEGER NOT NULL,
  "cancelled" INTEGER NOT NULL,
  CONSTRAINT "delivery_usage_deltas_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "delivery_usage_deltas_environment_id_idx" ON "delivery_usage_deltas"("environment_id");

-- See 20261122040000_environments_policy.
ALTER TABLE "delivery_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "delivery_usage_in_scope" ON "delivery_usage" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "delivery_usage_deltas" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "delivery_usage_deltas_in_scope" ON "delivery_usage_deltas" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- Triggers, because several statements make and end runs, also those of the release before: none of them can forget it. A claim
-- costs nothing. The runs of tests and of operational messages are not counted.
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
