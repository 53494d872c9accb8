-- From which share of complaints in a day's email a stream is paused; null: never.
ALTER TABLE "environments"
  ADD COLUMN "pause_streams_at_complaint_rate" DOUBLE PRECISION
    CONSTRAINT "environments_pause_streams_at_complaint_rate_check" CHECK (
      "pause_streams_at_complaint_rate" > 0 AND "pause_streams_at_complaint_rate" <= 1);

-- The streams whose email is held ("resumed_at" is null), and those that were resumed, until their held runs are released. A run
-- held for a stream has "held" = 'stream:<name>' and is due in the year 9999, so the release before does not find it; that release
-- sends the email of a paused stream.
CREATE TABLE "stream_pauses" (
  "environment_id" UUID NOT NULL,
  "stream" TEXT NOT NULL,
  "paused_at" TIMESTAMPTZ(3) NOT NULL,
  "resumed_at" TIMESTAMPTZ(3),
  "delivered" BIGINT NOT NULL,
  "complained" BIGINT NOT NULL,
  CONSTRAINT "stream_pauses_pkey" PRIMARY KEY ("environment_id", "stream"),
  CONSTRAINT "stream_pauses_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);

-- See 20261122040000_environments_policy.
ALTER TABLE "stream_pauses" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "stream_pauses_in_scope" ON "stream_pauses" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
