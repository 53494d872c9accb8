-- A deleted channel keeps no secret and takes no feedback, also where the release before deletes it, which does not know all of these
-- columns.
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
