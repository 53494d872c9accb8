-- A token is replaced once at most: of two rotations at once one wins, and the other's token would live unseen.
ALTER TABLE "tokens"
  ADD COLUMN "replaced_by_id" UUID,
  ADD CONSTRAINT "tokens_replaced_by_id_fkey" FOREIGN KEY ("replaced_by_id") REFERENCES "tokens"("id")
    ON DELETE SET NULL ON UPDATE CASCADE,
  ADD CONSTRAINT "tokens_replaced_ends" CHECK ("replaced_by_id" IS NULL OR "expires_at" IS NOT NULL);
CREATE UNIQUE INDEX "tokens_replaced_by_id_key" ON "tokens"("replaced_by_id");

-- What of a channel snapshots hold. A secret that is sealed anew, or erased, must not make every process load again.
DROP TRIGGER "channels_notify" ON "channels";
CREATE TRIGGER "channels_notify"
  AFTER INSERT OR DELETE OR UPDATE OF "kind", "name", "enabled", "event_keys", "retry", "deleted_at" ON "channels"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('environment', 'environment_id');
