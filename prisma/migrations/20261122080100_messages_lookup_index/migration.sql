-- Finds messages by a request or trace id, which nothing else orders. A block range index costs an insert nothing until its
-- range is summarised, by autovacuum; a B-tree on random ids would write a page of its own for each message.
CREATE INDEX CONCURRENTLY "messages_lookup" ON "messages"
  USING brin ("request_id" text_bloom_ops, "trace_id" text_bloom_ops) WITH (pages_per_range = 64, autosummarize = on);
