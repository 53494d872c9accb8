-- Settings and health of channels. New columns are null or have a constant default, so that no row is rewritten. The table has a row for
-- each channel, so its indexes are built in milliseconds.
-- Row-level security: see 20261123190000_configuration.
ALTER TABLE "channels" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "channels_in_scope" ON "channels" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

ALTER TABLE "channels"
  -- Only packages/channels knows the kinds.
  DROP CONSTRAINT "channels_kind",
  -- Which events it takes, by their content; null takes all. The release before ignores it.
  ADD COLUMN "filter" JSONB,
  -- Several credentials: an object of sealed texts by name. The release before uses the column of the single secret, which a config
  -- with a single sender keeps.
  ADD COLUMN "sealed_credentials" JSONB,
  -- SHA-256 of the token with which its providers report; null for none.
  ADD COLUMN "feedback_token_hash" BYTEA,
  -- Whether its runs wait, in the row that a claim reads anyway; and when it warns, pauses and gives up (null: the defaults).
  ADD COLUMN "paused" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "failure_policy" JSONB,
  -- Whether it gets operational events, and their address for email.
  ADD COLUMN "operational" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "operational_email" TEXT,
  ADD COLUMN "ordering" TEXT NOT NULL DEFAULT 'none',
  ADD COLUMN "on_exhausted" TEXT NOT NULL DEFAULT 'block',
  -- How fast it may be sent to (decision 49).
  ADD COLUMN "max_per_second" DOUBLE PRECISION CHECK ("max_per_second" > 0),
  ADD COLUMN "max_in_flight" INTEGER CHECK ("max_in_flight" > 0),
  -- When its last pause began; null: it was never paused, or the release before paused it.
  ADD COLUMN "paused_at" TIMESTAMPTZ(3),
  -- When its last pause ended: older runs in retry wait for their turn in the release of held runs. Null: it was never paused.
  ADD COLUMN "resumed_at" TIMESTAMPTZ(3),
  -- Channels that tokens configure connect to public addresses only. A process of the release before ignores the column.
  ADD COLUMN "public_only" BOOLEAN NOT NULL DEFAULT false,
  ADD CONSTRAINT "channels_sealed_credentials_object" CHECK (jsonb_typeof("sealed_credentials") = 'object');

-- The consumer that it belongs to; null: the environment itself.
ALTER TABLE "channels"
  ADD COLUMN "consumer_id" TEXT,
  -- Operational channels are the operator's.
  ADD CONSTRAINT "channels_consumer_not_operational" CHECK ("consumer_id" IS NULL OR NOT "operational"),
  ADD CONSTRAINT "channels_consumer_fkey" FOREIGN KEY ("environment_id", "consumer_id")
    REFERENCES "consumers"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
CREATE INDEX "channels_of_consumers" ON "channels" ("environment_id", "consumer_id", "id") WHERE "consumer_id" IS NOT NULL;
-- The channels of the environment itself, which each process keeps in memory, and their list.
CREATE INDEX "channels_of_environment" ON "channels" ("environment_id", "id") WHERE "consumer_id" IS NULL;
DROP TRIGGER "channels_notify" ON "channels";
CREATE TRIGGER "channels_notify"
  AFTER INSERT OR UPDATE OF "kind", "name", "enabled", "event_keys", "retry", "deleted_at" ON "channels"
  FOR EACH ROW WHEN (NEW."consumer_id" IS NULL) EXECUTE FUNCTION "postrider_notify_config"('environment', 'environment_id');
CREATE TRIGGER "channels_notify_consumer"
  AFTER INSERT OR UPDATE OF "kind", "name", "enabled", "event_keys", "retry", "deleted_at" ON "channels"
  FOR EACH ROW WHEN (NEW."consumer_id" IS NOT NULL) EXECUTE FUNCTION "postrider_notify_consumer"('consumer_id');
-- The service deletes no channel.
CREATE TRIGGER "channels_notify_removal" AFTER DELETE ON "channels"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('environment', 'environment_id');

CREATE UNIQUE INDEX "channels_feedback_token_hash_key" ON "channels"("feedback_token_hash");
CREATE INDEX "channels_operational" ON "channels" ("environment_id") WHERE "operational" AND "deleted_at" IS NULL;
-- The channels with limits, among which a sweep finds those with waiting runs.
CREATE INDEX "channels_limited" ON "channels" ("id")
  WHERE "max_per_second" IS NOT NULL OR "max_in_flight" IS NOT NULL;
-- Client certificates, whose end is reported: those of webhooks, and those of message brokers.
CREATE INDEX "channels_certificates" ON "channels" ("environment_id", "id")
  WHERE "deleted_at" IS NULL AND ("config" #>> '{tls,expires_at}') IS NOT NULL;
CREATE INDEX "channels_broker_certificates" ON "channels" ("environment_id", "id")
  WHERE "deleted_at" IS NULL AND ("config" ->> 'certificate_expires_at') IS NOT NULL;

-- A deleted channel keeps no secret and takes no feedback, also if the release before deletes it, which does not know all columns.
CREATE FUNCTION "postrider_erase_deleted_channel"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."sealed_secret" := NULL;
  NEW."sealed_credentials" := NULL;
  NEW."sealed_previous_secret" := NULL;
  NEW."previous_secret_expires_at" := NULL;
  NEW."feedback_token_hash" := NULL;
  RETURN NEW;
END;
$$;
CREATE TRIGGER "channels_erase_deleted" BEFORE UPDATE OF "deleted_at" ON "channels"
  FOR EACH ROW WHEN (NEW."deleted_at" IS NOT NULL)
  EXECUTE FUNCTION "postrider_erase_deleted_channel"();

-- The health of a channel (decision 45): written on changes of the state, at most every ten seconds for successes, and for the first
-- hundred failures.
CREATE TABLE "channel_health" (
  "channel_id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'ok',
  "reason" TEXT,
  "failing_since" TIMESTAMPTZ(3),
  "failures" INTEGER NOT NULL DEFAULT 0,
  "timeouts" INTEGER NOT NULL DEFAULT 0,
  "last_success_at" TIMESTAMPTZ(3),
  "next_probe_at" TIMESTAMPTZ(3),
  "probes" INTEGER NOT NULL DEFAULT 0,
  "probe_run_id" UUID,
  "release_rate" DOUBLE PRECISION,
  "released_at" TIMESTAMPTZ(3),
  "transitions" INTEGER NOT NULL DEFAULT 0,
  -- Whether the present release is that of a resume, and not of runs in retry that fell due later.
  "is_resuming" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "channel_health_pkey" PRIMARY KEY ("channel_id"),
  CONSTRAINT "channel_health_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id")
    REFERENCES "channels"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "channel_health_state" CHECK ("state" IN ('ok', 'failing', 'paused')),
  CONSTRAINT "channel_health_counts" CHECK (
    "failures" >= 0 AND "timeouts" >= 0 AND "probes" >= 0 AND "release_rate" > 0)
);
-- Each of these has few entries, and mostly none: the channels whose state may change, those whose held runs are being released,
-- and the paused ones of an environment.
CREATE INDEX "channel_health_unsettled" ON "channel_health" ("channel_id")
  WHERE "state" <> 'ok' OR "failing_since" IS NOT NULL;
CREATE INDEX "channel_health_releasing" ON "channel_health" ("channel_id") WHERE "release_rate" IS NOT NULL;
CREATE INDEX "channel_health_paused" ON "channel_health" ("environment_id") WHERE "state" = 'paused';
ALTER TABLE "channel_health" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "channel_health_in_scope" ON "channel_health" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- The rate of a limited channel (decision 49): a row that each claim locks, so narrow that its updates stay on its page.
CREATE TABLE "channel_limit_states" (
  "channel_id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "rate_state" DOUBLE PRECISION,
  "decided_at" TIMESTAMPTZ(6),
  "reserved_until" TIMESTAMPTZ(3),
  CONSTRAINT "channel_limit_states_pkey" PRIMARY KEY ("channel_id"),
  CONSTRAINT "channel_limit_states_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id")
    REFERENCES "channels"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 20);
ALTER TABLE "channel_limit_states" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "channel_limit_states_in_scope" ON "channel_limit_states" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- When there were workers: an interval for each time without a gap. It counts how long runs waited for the limits of their channels,
-- and not for workers. It is of the whole service and has no environment.
CREATE TABLE "worker_presence" (
  "began_at" TIMESTAMPTZ(3) NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "worker_presence_pkey" PRIMARY KEY ("began_at")
);

-- Senders of email channels that are out of turn. A row is written when that changes, and never for a sender that has always worked.
-- Each process finds out by itself: a row says what the last one found.
CREATE TABLE "sender_states" (
  "channel_id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "sender" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "until" TIMESTAMPTZ(3),
  "reason" TEXT,
  CONSTRAINT "sender_states_pkey" PRIMARY KEY ("channel_id", "sender"),
  CONSTRAINT "sender_states_state" CHECK (
    ("state" = 'closed' AND "until" IS NULL) OR ("state" = 'open' AND "until" IS NOT NULL)),
  CONSTRAINT "sender_states_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id")
    REFERENCES "channels"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "sender_states" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "sender_states_in_scope" ON "sender_states" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- The place of each key of an ordered channel (decision 48). "turn" is the sequence of the run that may be sent; later ones are held.
-- Keys are locked in the order of the primary key, which does not depend on a locale.
CREATE TABLE "ordering_keys" (
  "channel_id" UUID NOT NULL,
  "key" TEXT COLLATE "C" NOT NULL,
  "environment_id" UUID NOT NULL,
  "last_sequence" BIGINT NOT NULL,
  "turn" BIGINT NOT NULL DEFAULT 1,
  "blocked_at" TIMESTAMPTZ(3),
  "blocked_run_id" UUID,
  -- When a place of the key was last given: a key that was not used for long is forgotten. No index has it, so updates stay HOT.
  "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "ordering_keys_pkey" PRIMARY KEY ("channel_id", "key"),
  CONSTRAINT "ordering_keys_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id")
    REFERENCES "channels"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "ordering_keys_places" CHECK ("last_sequence" >= 0 AND "turn" BETWEEN 1 AND "last_sequence" + 1)
);
CREATE INDEX "ordering_keys_blocked" ON "ordering_keys" ("environment_id", "channel_id", "key") WHERE "blocked_at" IS NOT NULL;
-- Keys of which a run has ended. What ends a run appends a row in the same transaction and locks nothing. A worker moves the turn.
CREATE TABLE "ordering_ends" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY,
  "channel_id" UUID NOT NULL,
  "key" TEXT COLLATE "C" NOT NULL,
  "environment_id" UUID NOT NULL,
  CONSTRAINT "ordering_ends_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "ordering_keys" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "ordering_keys_in_scope" ON "ordering_keys" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "ordering_ends" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "ordering_ends_in_scope" ON "ordering_ends" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- Operational events (decision 46). A change writes its row in its own transaction; a sweep makes messages of the rows, once each.
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
-- Environments take turns, so that one with many events delays no other.
CREATE INDEX "operational_events_waiting" ON "operational_events" ("environment_id", "id") WHERE "dispatched_at" IS NULL;
ALTER TABLE "operational_events" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "operational_events_in_scope" ON "operational_events" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
-- Finds sent `message.completed`, which are kept for a short time. Nothing is in it while no environment reports outcomes.
CREATE INDEX "operational_events_completed" ON "operational_events" ("dispatched_at") WHERE "type" = 'message.completed';
