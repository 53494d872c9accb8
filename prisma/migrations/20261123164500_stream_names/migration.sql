-- The names of an environment's streams for recipients, by stream and language.
ALTER TABLE "environments" ADD COLUMN "stream_names" JSONB NOT NULL DEFAULT '{}';
