-- A page of the audit log filtered by its action, newest first.
-- Alone in its migration, which is therefore no transaction: built concurrently, it blocks no write.
CREATE INDEX CONCURRENTLY "audit_log_action_id_idx" ON "audit_log" ("action", "id");
