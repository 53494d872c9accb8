-- Finds an attempt by its id, for lookups by people. See 20261122080100_messages_lookup_index.
CREATE INDEX CONCURRENTLY "attempts_lookup" ON "attempts"
  USING brin ("id" uuid_minmax_multi_ops) WITH (pages_per_range = 64, autosummarize = on);
