-- What is to be sent of each environment, oldest first: environments take turns, so that one with many events delays no other.
-- Alone in its migration, which is therefore no transaction: built concurrently, it holds up no write.
CREATE INDEX CONCURRENTLY "operational_events_waiting" ON "operational_events" ("environment_id", "id")
  WHERE "dispatched_at" IS NULL;
