-- The event keys that an environment's figures name. Clients choose event keys, so their number is bounded here: the figures of the
-- keys beyond the bound are summed.
CREATE TABLE "stats_event_keys" (
  "environment_id" UUID NOT NULL,
  "event_key" TEXT NOT NULL,
  "used_on" DATE NOT NULL,
  CONSTRAINT "stats_event_keys_pkey" PRIMARY KEY ("environment_id", "event_key")
);

INSERT INTO "stats_event_keys" ("environment_id", "event_key", "used_on")
SELECT "environment_id", "event_key", CURRENT_DATE
  FROM (SELECT DISTINCT "environment_id", "event_key" FROM "stats" WHERE "span_seconds" = 3600) AS "named"
ON CONFLICT DO NOTHING;
