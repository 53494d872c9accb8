-- Channels with a client certificate, whose end is reported: without it each report reads all channels of an environment.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "channels_certificates" ON "channels" ("environment_id", "id")
  WHERE "deleted_at" IS NULL AND ("config" #>> '{tls,expires_at}') IS NOT NULL;
