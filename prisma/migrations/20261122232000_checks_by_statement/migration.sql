-- What every event and attempt refers to is checked once for each statement. A foreign key is checked for each row, by a query of its
-- own that also locks the row that is referred to (decision 55). The triggers are there before the keys go, in one transaction, so
-- that processes of the release before delete and insert as they did.

-- A run refers to a message, a channel and a template version of its own environment.
CREATE FUNCTION "postrider_check_new_runs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Each is looked up by its key. As EXISTS the planner could read all messages there are instead.
  IF EXISTS (
    SELECT FROM "added" run
      LEFT JOIN LATERAL (
        SELECT 1 AS found FROM "messages" message
         WHERE message."environment_id" = run."environment_id" AND message."id" = run."message_id" LIMIT 1) AS message ON true
      LEFT JOIN LATERAL (
        SELECT 1 AS found FROM "channels" channel
         WHERE channel."environment_id" = run."environment_id" AND channel."id" = run."channel_id" LIMIT 1) AS channel ON true
      LEFT JOIN LATERAL (
        SELECT 1 AS found FROM "template_versions" version
         WHERE version."environment_id" = run."environment_id" AND version."id" = run."template_version_id" LIMIT 1) AS version ON true
     WHERE message.found IS NULL OR channel.found IS NULL OR (run."template_version_id" IS NOT NULL AND version.found IS NULL)
  ) THEN
    RAISE EXCEPTION 'a delivery run refers to what its environment does not have'
      USING ERRCODE = 'foreign_key_violation', TABLE = 'delivery_runs', CONSTRAINT = 'delivery_runs_refer';
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "delivery_runs_check_new" AFTER INSERT ON "delivery_runs" REFERENCING NEW TABLE AS "added"
  FOR EACH STATEMENT EXECUTE FUNCTION "postrider_check_new_runs"();

-- Messages take their runs along, and runs their attempts: with the rights of the owner, as by a foreign key. By their keys, whatever
-- the planner knows of the tables.
CREATE FUNCTION "postrider_remove_runs"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM "delivery_runs" run USING "removed" message
   WHERE run."environment_id" = message."environment_id" AND run."message_id" = message."id";
  RETURN NULL;
END;
$$;
CREATE TRIGGER "messages_remove_runs" AFTER DELETE ON "messages" REFERENCING OLD TABLE AS "removed"
  FOR EACH STATEMENT EXECUTE FUNCTION "postrider_remove_runs"();

-- Whoever changes the key of a message by hand changes that of its runs, as before. Other updates do not call it.
CREATE FUNCTION "postrider_move_runs"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE "delivery_runs" SET "environment_id" = NEW."environment_id", "message_id" = NEW."id"
   WHERE "environment_id" = OLD."environment_id" AND "message_id" = OLD."id";
  RETURN NULL;
END;
$$;
CREATE TRIGGER "messages_move_runs" AFTER UPDATE OF "environment_id", "id" ON "messages"
  FOR EACH ROW EXECUTE FUNCTION "postrider_move_runs"();

CREATE FUNCTION "postrider_remove_attempts"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM "attempts" attempt USING "removed" run WHERE attempt."run_id" = run."id";
  RETURN NULL;
END;
$$;
CREATE TRIGGER "delivery_runs_remove_attempts" AFTER DELETE ON "delivery_runs" REFERENCING OLD TABLE AS "removed"
  FOR EACH STATEMENT EXECUTE FUNCTION "postrider_remove_attempts"();

-- The service deletes neither channels nor template versions. Who does by hand is refused while runs refer to them.
CREATE FUNCTION "postrider_keep_channels_of_runs"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM "delivery_runs" run WHERE run."channel_id" = OLD."id") THEN
    RAISE EXCEPTION 'delivery runs refer to channel %', OLD."id" USING ERRCODE = 'foreign_key_violation', TABLE = 'delivery_runs';
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "channels_keep_of_runs" AFTER DELETE OR UPDATE OF "environment_id", "id" ON "channels"
  FOR EACH ROW EXECUTE FUNCTION "postrider_keep_channels_of_runs"();

CREATE FUNCTION "postrider_keep_templates_of_runs"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (
    SELECT FROM "delivery_runs" run
     WHERE run."environment_id" = OLD."environment_id" AND run."template_version_id" = OLD."id"
  ) THEN
    RAISE EXCEPTION 'delivery runs refer to template version %', OLD."id" USING ERRCODE = 'foreign_key_violation', TABLE = 'delivery_runs';
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "template_versions_keep_of_runs" AFTER DELETE OR UPDATE OF "environment_id", "id" ON "template_versions"
  FOR EACH ROW EXECUTE FUNCTION "postrider_keep_templates_of_runs"();

ALTER TABLE "delivery_runs"
  DROP CONSTRAINT "delivery_runs_environment_id_message_id_fkey",
  DROP CONSTRAINT "delivery_runs_environment_id_channel_id_fkey",
  DROP CONSTRAINT "delivery_runs_environment_id_template_version_id_fkey";
-- An attempt is inserted by the statement that has just written its run, which stays locked until the commit.
ALTER TABLE "attempts" DROP CONSTRAINT "attempts_run_id_fkey";
-- Usage, channels and tokens keep an environment from being deleted while it has messages.
ALTER TABLE "messages" DROP CONSTRAINT "messages_environment_id_fkey";
ALTER TABLE "idempotency_records" DROP CONSTRAINT "idempotency_records_environment_id_fkey";
