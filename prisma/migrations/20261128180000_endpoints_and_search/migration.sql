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
