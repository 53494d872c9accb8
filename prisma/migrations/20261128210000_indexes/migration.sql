-- Indexes of tables that 0.1.0 has filled. `migrate` sends each statement alone, outside a transaction, so that no build blocks writes.
-- If it is interrupted, the next call builds only those that are missing (decision 63).

-- Runs. None of these has a column that a claim changes, in its key or its predicate, so that the claim is a HOT update (decision 35).
-- The open runs of a channel, waiting or running, in the order in which they are due.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_open" ON "delivery_runs" ("channel_id", "due_at")
  WHERE "completed_at" IS NULL;
-- Runs that failed or were cancelled, newest message first; each of them has the code of an error.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_erred" ON "delivery_runs" ("environment_id", "message_id")
  WHERE "completed_at" IS NOT NULL AND "last_error_code" IS NOT NULL;
-- Runs that wait for their time, newest message first: scheduled ones have a time, retrying ones an error.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_postponed" ON "delivery_runs" ("environment_id", "message_id")
  WHERE "completed_at" IS NULL AND ("scheduled_at" IS NOT NULL OR "last_error_code" IS NOT NULL);
-- The runs of replays. Other runs of a month are found by the ids of their messages, which are as old as they are.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_replays" ON "delivery_runs" ("environment_id", "created_at")
  WHERE "replay" > 0;
-- The open runs of replays by their time: a bulk replay counts its own.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_replaying_since" ON "delivery_runs" ("environment_id", "created_at")
  WHERE "replay" > 0 AND "completed_at" IS NULL;
-- The open runs that lost a worker, by channel, oldest due first: few, and mostly none. The search skips from channel to channel, so
-- that the runs of one never hide those of another.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_lost_workers" ON "delivery_runs" ("channel_id", "due_at")
  WHERE "lost_workers" > 0 AND "completed_at" IS NULL;
-- The held runs of a channel, oldest first. Of the claims only that of a probe changes a column of it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_held" ON "delivery_runs" ("held", "channel_id", "id")
  WHERE "held" IS NOT NULL AND "completed_at" IS NULL;
-- The runs of an ordering key by their places.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_ordered" ON "delivery_runs" ("channel_id", "ordering_key", "sequence")
  WHERE "sequence" IS NOT NULL;
-- Scheduled runs of ordered channels, which get their places when they are due.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_unplaced" ON "delivery_runs" ("scheduled_at", "id")
  WHERE "ordering_key" IS NOT NULL AND "sequence" IS NULL AND "completed_at" IS NULL;
-- The open leases of channels with max_in_flight. No claim of another channel changes "limited".
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_limited" ON "delivery_runs" ("channel_id")
  WHERE "limited" AND "completed_at" IS NULL;
-- The open runs of tests, which a claim takes first: few, and mostly none.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "delivery_runs_tests" ON "delivery_runs" ("channel_id")
  WHERE "test" AND "completed_at" IS NULL;

-- Attempts that a worker is making, or was making when it was lost: as many as the workers have slots.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "attempts_open" ON "attempts" ("started_at") WHERE "completed_at" IS NULL;
-- An attempt by its id, for look-ups by people. A block range index costs an insert nothing until autovacuum summarises its range; a
-- B-tree on random ids would write a page of its own for each attempt.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "attempts_lookup" ON "attempts"
  USING brin ("id" uuid_minmax_multi_ops) WITH (pages_per_range = 64, autosummarize = on);
-- The run of feedback that names only the provider's own id of the message. A hash, because such an id may have any length.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "attempts_provider_message" ON "attempts" USING hash ("provider_message_id")
  WHERE "provider_message_id" IS NOT NULL;

-- Messages by a request or trace id, with a block range index. In a page that is used again, each insert writes the filters of its
-- range again, so the filters are so small that PostgreSQL does not compress them: 2 µs for each event.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_requests" ON "messages"
  USING brin ("request_id" text_bloom_ops(n_distinct_per_range = 320), "trace_id" text_bloom_ops(n_distinct_per_range = 320))
  WITH (pages_per_range = 16, autosummarize = on);
-- Messages to an address in any case. In the order of bytes, which costs an insert less than the order of a language.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_recipients" ON "messages"
  ("environment_id", (lower("recipient_email") COLLATE "C"), "id");
-- Messages with a `recipient.id`, for erasures. By its hash, because an entry of an index has at most 2,704 bytes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_recipient_id" ON "messages"
  ("environment_id", hashtextextended("recipient" ->> 'id', 0), "id")
  WHERE ("recipient" ->> 'id') IS NOT NULL;

-- The messages of a consumer, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_of_consumers" ON "messages" ("environment_id", "consumer_id", "id")
  WHERE "consumer_id" IS NOT NULL;

-- Pages of the audit log filtered by actor, action or resource type, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_actor_id_idx" ON "audit_log" ("actor", "id");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_action_id_idx" ON "audit_log" ("action", "id");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_resource_type_id_idx" ON "audit_log" ("resource_type", "id");
