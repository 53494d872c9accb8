-- Environments with their settings, tokens, templates, suppressions and what operators see. New columns are null or have a constant
-- default, so that no row is rewritten and the release before keeps working. Its behaviour is the default of each setting.

-- The busiest table last, so that nothing waits for it while this waits for the others.
LOCK TABLE "audit_log", "erasures", "replay_batches", "template_versions", "plans", "event_types", "tokens", "environments"
  IN ACCESS EXCLUSIVE MODE;

-- Row-level security. Rows belong to environments, and a statement sees those of the environments that its transaction names in
-- the setting postrider.environments: an array of UUIDs, or 'all' for work across environments. Without the setting it sees none. This
-- holds for every role except the owner of the tables. The subqueries refer to no row, so each statement computes them once.
ALTER TABLE "environments" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "environments_in_scope" ON "environments" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "tokens" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tokens_in_scope" ON "tokens" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "event_types" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "event_types_in_scope" ON "event_types" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "template_versions" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "template_versions_in_scope" ON "template_versions" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "replay_batches" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "replay_batches_in_scope" ON "replay_batches" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "erasures" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "erasures_in_scope" ON "erasures" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "audit_log" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "audit_log_in_scope" ON "audit_log" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- Settings of an environment.
ALTER TABLE "environments"
  -- What it does with an event that no channel takes, and with a missing email template, and which idempotency keys it takes.
  ADD COLUMN "unmatched_events" TEXT NOT NULL DEFAULT 'refuse'
    CONSTRAINT "environments_unmatched_events_check" CHECK ("unmatched_events" IN ('refuse', 'store')),
  ADD COLUMN "missing_email_template" TEXT NOT NULL DEFAULT 'refuse'
    CONSTRAINT "environments_missing_email_template_check" CHECK ("missing_email_template" IN ('refuse', 'skip')),
  ADD COLUMN "idempotency_keys" TEXT NOT NULL DEFAULT 'uuid'
    CONSTRAINT "environments_idempotency_keys_check" CHECK ("idempotency_keys" IN ('uuid', 'any')),
  ADD COLUMN "default_locale" TEXT NOT NULL DEFAULT 'en',
  -- Whether its channels may have https URLs only.
  ADD COLUMN "https_only" BOOLEAN NOT NULL DEFAULT false,
  -- How many soft bounces in a row, within how many days, suppress an address, and for how many days. A limit of 0: none do.
  ADD COLUMN "soft_bounce_limit" INTEGER NOT NULL DEFAULT 5
    CONSTRAINT "environments_soft_bounce_limit_check" CHECK ("soft_bounce_limit" BETWEEN 0 AND 100),
  ADD COLUMN "soft_bounce_days" INTEGER NOT NULL DEFAULT 7
    CONSTRAINT "environments_soft_bounce_days_check" CHECK ("soft_bounce_days" BETWEEN 1 AND 90),
  ADD COLUMN "soft_bounce_pause_days" INTEGER NOT NULL DEFAULT 7
    CONSTRAINT "environments_soft_bounce_pause_days_check" CHECK ("soft_bounce_pause_days" BETWEEN 1 AND 365),
  -- The names of its streams for recipients, by stream and language.
  ADD COLUMN "stream_names" JSONB NOT NULL DEFAULT '{}',
  -- From which share of complaints in a day's email a stream is paused; null: never.
  ADD COLUMN "pause_streams_at_complaint_rate" DOUBLE PRECISION
    CONSTRAINT "environments_pause_streams_at_complaint_rate_check" CHECK (
      "pause_streams_at_complaint_rate" > 0 AND "pause_streams_at_complaint_rate" <= 1);

-- How much needs attention in each environment. A sweep writes it, so that the overview reads only those in which most does.
CREATE TABLE "environment_attention" (
  "environment_id" UUID NOT NULL,
  "weight" DOUBLE PRECISION NOT NULL,
  "kept_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "environment_attention_pkey" PRIMARY KEY ("environment_id"),
  CONSTRAINT "environment_attention_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "environment_attention_needy" ON "environment_attention" ("weight") WHERE "weight" > 0;
ALTER TABLE "environment_attention" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "environment_attention_in_scope" ON "environment_attention" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- Only packages/channels knows the kinds of channel.
ALTER TABLE "plans" DROP CONSTRAINT "plans_channel_kinds";

ALTER TABLE "tokens" ADD COLUMN "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];
-- For the report of tokens that end soon.
CREATE INDEX "tokens_ending" ON "tokens" ("environment_id", "expires_at")
  WHERE "revoked_at" IS NULL AND "expires_at" IS NOT NULL;

-- The stream of an event; null if it is transactional.
ALTER TABLE "event_types" ADD COLUMN "stream" TEXT;

-- Sessions of the console, and one-time links that become one. No secret is stored: "hash" is the SHA-256 of the cookie, "link_hash"
-- that of a link's code, "admin_digest" a digest of the admin token that opened it.
CREATE TABLE "console_sessions" (
  "id" UUID NOT NULL,
  "role" TEXT NOT NULL,
  "actor" TEXT NOT NULL,
  -- Null for an operator.
  "environment_id" UUID,
  "token_id" UUID,
  "admin_digest" BYTEA,
  "hash" BYTEA,
  "link_hash" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  -- The session that issued a link: the link, and the session that it opens, end with it. Null if the admin token issued it.
  "issuer_id" UUID,
  CONSTRAINT "console_sessions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "console_sessions_role" CHECK (
    ("role" = 'operator' AND "admin_digest" IS NOT NULL AND "environment_id" IS NULL AND "token_id" IS NULL)
    OR ("role" = 'integrator' AND "admin_digest" IS NULL AND "environment_id" IS NOT NULL AND "token_id" IS NOT NULL)),
  CONSTRAINT "console_sessions_one_secret" CHECK (("hash" IS NULL) <> ("link_hash" IS NULL)),
  CONSTRAINT "console_sessions_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "console_sessions_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "tokens"("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "console_sessions_issuer_id_fkey" FOREIGN KEY ("issuer_id") REFERENCES "console_sessions"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "console_sessions_hash_key" ON "console_sessions"("hash");
CREATE UNIQUE INDEX "console_sessions_link_hash_key" ON "console_sessions"("link_hash");
CREATE INDEX "console_sessions_expires_at_idx" ON "console_sessions"("expires_at");
CREATE INDEX "console_sessions_issuer_id_idx" ON "console_sessions"("issuer_id");
ALTER TABLE "console_sessions" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "console_sessions_in_scope" ON "console_sessions" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- Layouts, partials and translations that templates share, in versions. The "name" of a translation is its locale.
CREATE TABLE "template_parts" (
  "id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "type" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "content" TEXT NOT NULL,
  "mjml" TEXT,
  "uses" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "active" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "template_parts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "template_parts_type" CHECK ("type" IN ('layout', 'partial', 'translation')),
  CONSTRAINT "template_parts_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "template_parts_environment_id_type_name_version_key"
  ON "template_parts"("environment_id", "type", "name", "version");
CREATE UNIQUE INDEX "template_parts_active_key" ON "template_parts"("environment_id", "type", "name") WHERE "active";
CREATE INDEX "template_parts_environment_id_type_id_idx" ON "template_parts"("environment_id", "type", "id");
-- A version never changes, because templates are pinned to it; only which version is active does.
CREATE TRIGGER "template_parts_immutable" BEFORE UPDATE ON "template_parts"
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'active' IS DISTINCT FROM to_jsonb(NEW) - 'active')
  EXECUTE FUNCTION "postrider_refuse_change"();
ALTER TABLE "template_parts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "template_parts_in_scope" ON "template_parts" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- The parts that a version uses, the versions of parts that it is rendered with (null: none), the language of recipients without one
-- (null before 0.2), and copies, headers and files of an email (null: none).
ALTER TABLE "template_versions"
  ADD COLUMN "uses" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "parts" JSONB,
  ADD COLUMN "default_locale" TEXT,
  ADD COLUMN "envelope" JSONB,
  -- The columns of a version are those of one format, an email or a JSON document, for any kind of channel. Not checked again for
  -- existing rows (NOT VALID): the check before was stricter.
  DROP CONSTRAINT "template_versions_content",
  ADD CONSTRAINT "template_versions_content" CHECK (
    CASE WHEN "body" IS NULL THEN "subject" IS NOT NULL AND ("html" IS NOT NULL OR "text" IS NOT NULL)
         ELSE "subject" IS NULL AND "html" IS NULL AND "text" IS NULL END) NOT VALID;

-- Keys of the installation, each sealed with the first of ENCRYPTION_KEYS. They belong to no environment.
CREATE TABLE "service_keys" (
  "name" TEXT NOT NULL,
  "sealed" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "service_keys_pkey" PRIMARY KEY ("name")
);

-- Addresses to which an environment sends nothing (decision 42). "address_hash" is a keyed hash, and stays when the address is erased;
-- "sealed_address" is the address for operators, or null. Those with "expires_at" end then, as after soft bounces. The release before
-- reads none of them.
CREATE TABLE "suppressions" (
  "id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "address_hash" BYTEA NOT NULL,
  "sealed_address" TEXT,
  "scope" TEXT NOT NULL,
  "reason" TEXT,
  "source" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3),
  CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "suppressions_address_hash_length" CHECK (length("address_hash") = 32),
  CONSTRAINT "suppressions_source" CHECK (
    "source" IN ('hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe', 'manual', 'import')),
  CONSTRAINT "suppressions_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE
);
-- Each claim of an email looks here, first for the environment alone.
CREATE UNIQUE INDEX "suppressions_environment_id_address_hash_scope_key"
  ON "suppressions"("environment_id", "address_hash", "scope");
CREATE INDEX "suppressions_environment_id_id_idx" ON "suppressions"("environment_id", "id");
CREATE INDEX "suppressions_expiry" ON "suppressions" ("expires_at") WHERE "expires_at" IS NOT NULL;
ALTER TABLE "suppressions" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "suppressions_in_scope" ON "suppressions" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- The streams whose email is held ("resumed_at" is null), and those that were resumed, until their held runs are released (decision
-- 65). The release before sends the email of a paused stream.
CREATE TABLE "stream_pauses" (
  "environment_id" UUID NOT NULL,
  "stream" TEXT NOT NULL,
  "paused_at" TIMESTAMPTZ(3) NOT NULL,
  "resumed_at" TIMESTAMPTZ(3),
  "delivered" BIGINT NOT NULL,
  "complained" BIGINT NOT NULL,
  CONSTRAINT "stream_pauses_pkey" PRIMARY KEY ("environment_id", "stream"),
  CONSTRAINT "stream_pauses_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "stream_pauses" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "stream_pauses_in_scope" ON "stream_pauses" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- Erasures also by `recipient.id`. Address and id are known while they are searched for, and no longer.
ALTER TABLE "erasures"
  ADD COLUMN "recipient_id" TEXT,
  -- An open erasure of an address in any case. A worker of the release before does not clear this, so it cannot complete the
  -- erasure: it does not find all of its messages.
  ADD COLUMN "any_case" BOOLEAN NOT NULL DEFAULT false,
  DROP CONSTRAINT "erasures_address_while_open",
  ADD CONSTRAINT "erasures_recipient_while_open"
    CHECK (("status" = 'completed') = (num_nonnulls("recipient_email", "recipient_id") = 0)
           AND num_nonnulls("recipient_email", "recipient_id") <= 1),
  ADD CONSTRAINT "erasures_any_case_while_open" CHECK (NOT ("any_case" AND "status" = 'completed'));

-- Each page of an erasure looks for its address in the filters of bulk replays.
CREATE INDEX "replay_batches_recipient" ON "replay_batches" ("environment_id", lower("filter" ->> 'recipient_email'))
  WHERE ("filter" ->> 'recipient_email') IS NOT NULL;

-- Autovacuum's defaults let a fifth of a table become dead rows before a vacuum, and a tenth change before its statistics do: at
-- millions of rows that is hours of work. Large tables get smaller shares.
ALTER TABLE "audit_log" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
