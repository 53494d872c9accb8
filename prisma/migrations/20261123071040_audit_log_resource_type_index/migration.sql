-- A page of the audit log filtered by its resource type, newest first.
-- Alone in its migration, which is therefore no transaction: built concurrently, it blocks no write.
CREATE INDEX CONCURRENTLY "audit_log_resource_type_id_idx" ON "audit_log" ("resource_type", "id");
