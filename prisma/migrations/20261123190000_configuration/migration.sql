-- Environments with their settings, tokens, templates and suppressions; operators, sessions and the audit log. New columns are null or have a constant
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
      "pause_streams_at_complaint_rate" > 0 AND "pause_streams_at_complaint_rate" <= 1),
  -- The outcomes of deliveries that operational channels get; none by default. A process of the release before reports none.
  ADD COLUMN "outcome_events" TEXT[] DEFAULT ARRAY[]::TEXT[],
  -- What happens to an event that names a consumer which does not exist.
  ADD COLUMN "unknown_consumers" TEXT NOT NULL DEFAULT 'refuse'
    CONSTRAINT "environments_unknown_consumers" CHECK ("unknown_consumers" IN ('refuse', 'create'));

-- Consumers: the customers of a tenant, each with channels and limits of its own. A process of the release before knows no consumers, and sends all events of an environment to their channels:
-- create them when none of its processes runs any more.
CREATE TABLE "consumers" (
  "environment_id" UUID NOT NULL,
  -- The caller's id. A deleted consumer keeps its row, because messages and channels refer to it, without personal data.
  "id" TEXT NOT NULL,
  "name" TEXT,
  "attributes" JSONB NOT NULL DEFAULT '{}',
  "contact_email" TEXT,
  -- Its limits; null: none but the service's.
  "events_per_month" INTEGER CHECK ("events_per_month" >= 0),
  "events_per_second" INTEGER CHECK ("events_per_second" > 0),
  "max_channels" INTEGER CHECK ("max_channels" >= 0),
  "channel_kinds" TEXT[],
  "enabled" BOOLEAN NOT NULL DEFAULT true,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "deleted_at" TIMESTAMPTZ(3),
  CONSTRAINT "consumers_pkey" PRIMARY KEY ("environment_id", "id"),
  CONSTRAINT "consumers_id" CHECK ("id" ~ '^[A-Za-z0-9_.:-]{1,128}$'),
  CONSTRAINT "consumers_attributes_object" CHECK (jsonb_typeof("attributes") = 'object'),
  CONSTRAINT "consumers_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE
);
-- The list and its search, by the beginning of an id and of a name.
CREATE INDEX "consumers_list" ON "consumers" ("environment_id", "id" COLLATE "C") WHERE "deleted_at" IS NULL;
CREATE INDEX "consumers_names" ON "consumers" ("environment_id", lower("name") COLLATE "C", "id" COLLATE "C")
  WHERE "deleted_at" IS NULL AND "name" IS NOT NULL;
ALTER TABLE "consumers" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "consumers_in_scope" ON "consumers" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- The events of a consumer in a month (UTC).
CREATE TABLE "consumer_usage" (
  "environment_id" UUID NOT NULL,
  "consumer_id" TEXT NOT NULL,
  "period_start" DATE NOT NULL,
  "consumer_events" BIGINT NOT NULL,
  CONSTRAINT "consumer_usage_pkey" PRIMARY KEY ("environment_id", "consumer_id", "period_start")
) WITH (fillfactor = 80);
ALTER TABLE "consumer_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "consumer_usage_in_scope" ON "consumer_usage" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- A change of a consumer or its channels drops this consumer from caches, and never the environment.
CREATE FUNCTION "postrider_notify_consumer"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(COALESCE(NEW, OLD));
BEGIN
  PERFORM pg_notify('postrider_config', 'consumer:' || (changed ->> 'environment_id') || ':' || (changed ->> TG_ARGV[0]));
  RETURN NULL;
END;
$$;
CREATE TRIGGER "consumers_notify" AFTER INSERT OR UPDATE OR DELETE ON "consumers"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_consumer"('id');

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

-- Operators, their tokens and the roles of an installation. The release before does not use them.
CREATE TABLE "roles" (
  "code" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "scopes" TEXT[],
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "roles_pkey" PRIMARY KEY ("code")
);

-- "bounded" says whether the operator is bound to these tenants and environments, of which there may be none; otherwise the operator
-- sees all. "source" is 'local', or the provider that keeps role and bounds up to date.
CREATE TABLE "operators" (
  "id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "bounded" BOOLEAN NOT NULL DEFAULT false,
  "tenant_ids" UUID[] DEFAULT ARRAY[]::UUID[],
  "environment_ids" UUID[] DEFAULT ARRAY[]::UUID[],
  "source" TEXT NOT NULL DEFAULT 'local',
  "oidc_subject" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_seen_at" TIMESTAMPTZ(3),
  "disabled_at" TIMESTAMPTZ(3),
  CONSTRAINT "operators_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "operators_bounds" CHECK ("bounded" OR (cardinality("tenant_ids") = 0 AND cardinality("environment_ids") = 0))
);
CREATE UNIQUE INDEX "operators_email_key" ON "operators" (lower("email"));
CREATE UNIQUE INDEX "operators_source_oidc_subject_key" ON "operators" ("source", "oidc_subject");

-- A token of an operator has the operator's rights, cut by its own. "role" and "scopes" are its own rights: a machine's token has one
-- of them; an operator's may have neither.
CREATE TABLE "operator_tokens" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "prefix" TEXT NOT NULL,
  "last_four" TEXT NOT NULL,
  "hash" BYTEA NOT NULL,
  "operator_id" UUID,
  "role" TEXT,
  "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "bounded" BOOLEAN NOT NULL DEFAULT false,
  "tenant_ids" UUID[] DEFAULT ARRAY[]::UUID[],
  "environment_ids" UUID[] DEFAULT ARRAY[]::UUID[],
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3),
  "last_used_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),
  CONSTRAINT "operator_tokens_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "operator_tokens_hash_length" CHECK (octet_length("hash") = 32),
  CONSTRAINT "operator_tokens_bounds"
    CHECK ("bounded" OR (cardinality("tenant_ids") = 0 AND cardinality("environment_ids") = 0)),
  CONSTRAINT "operator_tokens_rights" CHECK (
    CASE WHEN "role" IS NOT NULL THEN cardinality("scopes") = 0
         ELSE cardinality("scopes") > 0 OR "operator_id" IS NOT NULL END),
  CONSTRAINT "operator_tokens_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "operator_tokens_hash_key" ON "operator_tokens"("hash");
CREATE INDEX "operator_tokens_operator_id_idx" ON "operator_tokens"("operator_id");

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
  -- The session has the operator's rights of now.
  "operator_id" UUID,
  -- Where it was opened.
  "address" TEXT,
  "user_agent" TEXT,
  CONSTRAINT "console_sessions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "console_sessions_role" CHECK (
    ("role" = 'operator' AND num_nonnulls("admin_digest", "operator_id") = 1
       AND "environment_id" IS NULL AND "token_id" IS NULL)
    OR ("role" = 'integrator' AND num_nonnulls("admin_digest", "operator_id") = 0
       AND "environment_id" IS NOT NULL AND "token_id" IS NOT NULL)),
  CONSTRAINT "console_sessions_one_secret" CHECK (("hash" IS NULL) <> ("link_hash" IS NULL)),
  CONSTRAINT "console_sessions_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "console_sessions_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "tokens"("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "console_sessions_issuer_id_fkey" FOREIGN KEY ("issuer_id") REFERENCES "console_sessions"("id")
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "console_sessions_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "console_sessions_hash_key" ON "console_sessions"("hash");
CREATE UNIQUE INDEX "console_sessions_link_hash_key" ON "console_sessions"("link_hash");
CREATE INDEX "console_sessions_expires_at_idx" ON "console_sessions"("expires_at");
CREATE INDEX "console_sessions_issuer_id_idx" ON "console_sessions"("issuer_id");
CREATE INDEX "console_sessions_operator_id_idx" ON "console_sessions"("operator_id");
ALTER TABLE "console_sessions" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "console_sessions_in_scope" ON "console_sessions" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

-- Sessions of operators who signed in at a provider: how to ask it again, and how its logout finds them. "sealed_tokens" are the
-- provider's tokens, encrypted; they end with the session, so they are not encrypted again when the key changes.
CREATE TABLE "provider_sessions" (
  "session_id" UUID NOT NULL,
  "provider" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "sid" TEXT,
  "sealed_tokens" TEXT NOT NULL,
  "checked_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "provider_sessions_pkey" PRIMARY KEY ("session_id"),
  CONSTRAINT "provider_sessions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "console_sessions"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "provider_sessions_provider_subject_idx" ON "provider_sessions"("provider", "subject");
CREATE INDEX "provider_sessions_provider_sid_idx" ON "provider_sessions"("provider", "sid");

-- Sign-ins of the command line (RFC 8628). Both codes are stored as SHA-256. "session_id" is the session that approved it; "denied"
-- and "session_id" are set once, and the row is deleted when its token is issued.
CREATE TABLE "device_logins" (
  "id" UUID NOT NULL,
  "device_hash" BYTEA NOT NULL,
  "user_hash" BYTEA NOT NULL,
  "client" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "polled_at" TIMESTAMPTZ(3),
  "denied" BOOLEAN NOT NULL DEFAULT false,
  "session_id" UUID,
  CONSTRAINT "device_logins_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "device_logins_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "console_sessions"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "device_logins_device_hash_key" ON "device_logins"("device_hash");
CREATE UNIQUE INDEX "device_logins_user_hash_key" ON "device_logins"("user_hash");
CREATE INDEX "device_logins_expires_at_idx" ON "device_logins"("expires_at");
CREATE INDEX "device_logins_session_id_idx" ON "device_logins"("session_id");

-- Token buckets of sign-ins, for all API processes together. "key" is the SHA-256 of what is counted, such as a client's address.
-- The bucket is full again at "full_at"; a row whose time has passed says nothing and is removed by a sweep.
CREATE TABLE "sign_in_limits" (
  "key" BYTEA NOT NULL,
  "full_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "sign_in_limits_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "sign_in_limits_full_at_idx" ON "sign_in_limits"("full_at");

-- Caches of rights and sessions are dropped by these notices, as those of configuration are.
CREATE TRIGGER "roles_notify" AFTER UPDATE OR DELETE ON "roles"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('access', 'code');
CREATE TRIGGER "operators_notify"
  AFTER UPDATE OF "email", "role", "bounded", "tenant_ids", "environment_ids", "disabled_at" OR DELETE ON "operators"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('access', 'id');
CREATE TRIGGER "operator_tokens_notify" AFTER UPDATE OF "expires_at", "revoked_at" OR DELETE ON "operator_tokens"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('access', 'id');
CREATE TRIGGER "console_sessions_notify" AFTER UPDATE OF "ended_at" ON "console_sessions"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('session', 'id');

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

-- Each page of an erasure looks for its addresses in the filters of bulk replays. A column, because lower() and ->> are not leakproof:
-- under row-level security an index on the expression serves no condition.
ALTER TABLE "replay_batches"
  ADD COLUMN "folded_email" TEXT COLLATE "C" GENERATED ALWAYS AS (lower("filter" ->> 'recipient_email')) STORED;
CREATE INDEX "replay_batches_recipient" ON "replay_batches" ("environment_id", "folded_email") WHERE "folded_email" IS NOT NULL;

-- How the actor of a change proved who it is, with which token or session, from where, and why. Null for older entries.
ALTER TABLE "audit_log"
  ADD COLUMN "actor_kind" TEXT,
  ADD COLUMN "credential" TEXT,
  ADD COLUMN "address" TEXT,
  ADD COLUMN "reason" TEXT;

-- The hash chain of the audit log (docs/specification.md, "Audit log"). A sweep appends entries in the order in which it sees them,
-- so a change that commits late only gets a later sequence.
CREATE TABLE "audit_chain" (
  "sequence" BIGINT NOT NULL,
  "entry_id" UUID NOT NULL,
  "hash" BYTEA NOT NULL,
  "chained_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("sequence")
);
CREATE UNIQUE INDEX "audit_chain_entry_id_key" ON "audit_chain" ("entry_id");

CREATE TRIGGER "audit_chain_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_chain"
  FOR EACH STATEMENT EXECUTE FUNCTION "postrider_refuse_change"();
CREATE TRIGGER "audit_log_kept" BEFORE DELETE OR TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "postrider_refuse_change"();

-- Entries that wait for the sweep. The trigger covers every writer, also processes of the release before.
CREATE TABLE "audit_unchained" (
  "entry_id" UUID NOT NULL,
  CONSTRAINT "audit_unchained_pkey" PRIMARY KEY ("entry_id")
);

-- As the owner, because roles that write entries have no right to this table until the migration has ended.
CREATE FUNCTION "postrider_await_chain"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO "audit_unchained" ("entry_id") SELECT "id" FROM "written";
  RETURN NULL;
END;
$$;
CREATE TRIGGER "audit_log_await_chain" AFTER INSERT ON "audit_log"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "postrider_await_chain"();

-- Autovacuum's defaults let a fifth of a table become dead rows before a vacuum, and a tenth change before its statistics do: at
-- millions of rows that is hours of work. Large tables get smaller shares.
ALTER TABLE "audit_log" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01);
