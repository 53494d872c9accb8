-- The figures of failed templates by minute: the report of what needs attention adds up those of an hour.
-- Alone in its migration, which is therefore no transaction: built concurrently, it blocks no write.
CREATE INDEX CONCURRENTLY "stats_render_failures" ON "stats" ("environment_id", "start")
  WHERE "span_seconds" = 60 AND "error_code" = 'template_render_failed';
