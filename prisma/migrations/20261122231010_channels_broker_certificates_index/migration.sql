-- The client certificates of channels to message brokers, by their environments. Alone in its migration, which is therefore no
-- transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "channels_broker_certificates" ON "channels" ("environment_id", "id")
  WHERE "deleted_at" IS NULL AND ("config" ->> 'certificate_expires_at') IS NOT NULL;
