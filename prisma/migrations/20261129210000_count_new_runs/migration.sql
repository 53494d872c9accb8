-- Look up the message of each run by its key. As an anti-join, a session that had planned the statement for an empty table read all
-- messages for each batch of runs, until the table was analyzed.
CREATE OR REPLACE FUNCTION "postrider_count_new_runs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "delivery_usage_deltas"
    ("environment_id", "period_start", "channel_kind", "pending", "succeeded", "failed", "cancelled")
  SELECT run."environment_id", date_trunc('month', run."created_at" AT TIME ZONE 'UTC')::date, run."channel_kind",
         count(*) FILTER (WHERE run."completed_at" IS NULL), count(*) FILTER (WHERE run."status" = 'succeeded'),
         count(*) FILTER (WHERE run."status" = 'failed'), count(*) FILTER (WHERE run."status" = 'cancelled')
    FROM added run
   WHERE NOT COALESCE((
     SELECT message."test" OR message."operational" FROM "messages" message
      WHERE message."environment_id" = run."environment_id" AND message."id" = run."message_id"), false)
   GROUP BY 1, 2, 3;
  RETURN NULL;
END;
$$;
