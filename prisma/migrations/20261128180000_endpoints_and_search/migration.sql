-- The business ids of messages, by the paths that their event types declare. They go with the message, and with an erasure. First of
-- all, because the foreign key locks "messages": the statement that accepts events locks messages, their keys, delivery runs and then
-- channels, and a migration that has one of them and waits for an earlier one would deadlock with it. So "delivery_runs" follows
-- below, and "channels" is last.
CREATE TABLE "message_keys" (
  "environment_id" UUID NOT NULL,
  "message_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "value" TEXT NOT NULL CONSTRAINT "message_keys_value_length" CHECK (char_length("value") BETWEEN 1 AND 128),
  -- A column, because lower() is not leakproof: under row-level security an index on the expression serves no condition.
  "folded" TEXT COLLATE "C" GENERATED ALWAYS AS (lower("value")) STORED,
  CONSTRAINT "message_keys_pkey" PRIMARY KEY ("environment_id", "message_id", "name"),
  CONSTRAINT "message_keys_message_fkey" FOREIGN KEY ("environment_id", "message_id")
    REFERENCES "messages"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- In any case, and by prefix.
CREATE INDEX "message_keys_values" ON "message_keys" ("environment_id", "folded", "message_id");
ALTER TABLE "message_keys" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "message_keys_in_scope" ON "message_keys" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- A token of a consumer, such as a session of its portal, drops only that consumer from caches when it ends. A process of the release
-- before does not accept such tokens.
CREATE FUNCTION "postrider_notify_token"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed "tokens" := COALESCE(NEW, OLD);
BEGIN
  PERFORM pg_notify('postrider_config', CASE
    WHEN changed."consumer_id" IS NULL THEN 'environment:' || changed."environment_id"
    ELSE 'consumer:' || changed."environment_id" || ':' || changed."consumer_id" END);
  RETURN NULL;
END;
$$;
DROP TRIGGER "tokens_notify" ON "tokens";
CREATE TRIGGER "tokens_notify" AFTER UPDATE OF "expires_at", "revoked_at" OR DELETE ON "tokens"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_token"();

-- The bulk replays of a consumer, newest last.
CREATE INDEX "replay_batches_of_consumers" ON "replay_batches" ("environment_id", "consumer_id", "id") WHERE "consumer_id" IS NOT NULL;

-- Failing channels of an environment: lists of what needs action read no others.
CREATE INDEX "channel_health_failing" ON "channel_health" ("environment_id") WHERE "state" = 'failing';

-- A deleted channel needs no action: its health is that of a new one.
CREATE OR REPLACE FUNCTION "postrider_erase_deleted_channel"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."sealed_secret" := NULL;
  NEW."sealed_credentials" := NULL;
  NEW."sealed_previous_secret" := NULL;
  NEW."previous_secret_expires_at" := NULL;
  NEW."feedback_token_hash" := NULL;
  UPDATE "channel_health"
     SET "state" = 'ok', "reason" = NULL, "failing_since" = NULL, "next_probe_at" = NULL, "probe_run_id" = NULL
   WHERE "channel_id" = NEW."id" AND ("state" <> 'ok' OR "failing_since" IS NOT NULL);
  RETURN NEW;
END;
$$;

-- Whether a caller of a consumer made the replay, one by one or in bulk; null for all other runs.
ALTER TABLE "delivery_runs" ADD COLUMN "replayed_by_consumer" BOOLEAN;
-- The day (UTC) on which callers of the consumer last replayed messages, and how many on that day. A charge beyond the limit evaluates
-- to NULL, which the column refuses.
ALTER TABLE "consumer_usage" ADD COLUMN "replayed_on" DATE, ADD COLUMN "replays_of_day" INTEGER NOT NULL DEFAULT 0;

-- How far the erasure of a consumer has come, whose messages keep their consumer: those before "position" are erased, or left for its
-- next pass, and the first of the latter is "left_from".
ALTER TABLE "erasures" ADD COLUMN "position" UUID, ADD COLUMN "left_from" UUID;

-- What issued a link if it was no token of the environment: the token of an operator or a machine, or an operator in the console; and
-- the session of the console in which the caller was. Link and session end with each of them.
ALTER TABLE "portal_links" ADD COLUMN "operator_token_id" UUID, ADD COLUMN "operator_id" UUID, ADD COLUMN "console_session_id" UUID,
  ADD CONSTRAINT "portal_links_operator_token_id_fkey" FOREIGN KEY ("operator_token_id") REFERENCES "operator_tokens"("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "portal_links_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "portal_links_console_session_id_fkey" FOREIGN KEY ("console_session_id") REFERENCES "console_sessions"("id")
    ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "portal_links_operator_token_id_idx" ON "portal_links" ("operator_token_id");
CREATE INDEX "portal_links_operator_id_idx" ON "portal_links" ("operator_id");
CREATE INDEX "portal_links_console_session_id_idx" ON "portal_links" ("console_session_id");

ALTER TABLE "event_types" ADD COLUMN "search_keys" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Consumers, channels and templates by the beginning of their names in any case, in an environment and in all. The columns rewrite
-- their tables, which takes a second for each 100,000 channels; "consumers" is new since 0.1.0.
ALTER TABLE "consumers" ADD COLUMN "folded_name" TEXT COLLATE "C" GENERATED ALWAYS AS (lower("name")) STORED;
DROP INDEX "consumers_names";
CREATE INDEX "consumers_names" ON "consumers" ("environment_id", "folded_name", "id" COLLATE "C")
  WHERE "deleted_at" IS NULL AND "folded_name" IS NOT NULL;
CREATE INDEX "consumers_names_anywhere" ON "consumers" ("folded_name") WHERE "deleted_at" IS NULL AND "folded_name" IS NOT NULL;
CREATE INDEX "consumers_ids_anywhere" ON "consumers" ("id" COLLATE "C") WHERE "deleted_at" IS NULL;
CREATE INDEX "template_versions_keys_anywhere" ON "template_versions" ("event_key" COLLATE "C") WHERE "active";
ALTER TABLE "channels" ADD COLUMN "folded_name" TEXT COLLATE "C" GENERATED ALWAYS AS (lower("name")) STORED;
CREATE INDEX "channels_names" ON "channels" ("environment_id", "folded_name") WHERE "deleted_at" IS NULL;
CREATE INDEX "channels_names_anywhere" ON "channels" ("folded_name") WHERE "deleted_at" IS NULL;
