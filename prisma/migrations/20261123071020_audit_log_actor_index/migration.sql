-- A page of the audit log filtered by its actor, newest first.
-- Alone in its migration, which is therefore no transaction: built concurrently, it blocks no write.
CREATE INDEX CONCURRENTLY "audit_log_actor_id_idx" ON "audit_log" ("actor", "id");
