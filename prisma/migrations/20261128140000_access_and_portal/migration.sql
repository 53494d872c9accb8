-- With what a token of `postrider login` ends: the admin token with this digest, or the session at the operator's provider, which is
-- empty if the provider names none. Null for other tokens.
ALTER TABLE "operator_tokens" ADD COLUMN "admin_digest" BYTEA, ADD COLUMN "provider_sid" TEXT;

-- The operator's token that issued a link: the link and its session end with it. A process of the release before ends them by time alone.
ALTER TABLE "console_sessions" ADD COLUMN "operator_token_id" UUID,
  ADD CONSTRAINT "console_sessions_operator_token_id_fkey" FOREIGN KEY ("operator_token_id") REFERENCES "operator_tokens"("id")
    ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "console_sessions_operator_token_id_idx" ON "console_sessions"("operator_token_id");

-- Tokens of one consumer, the links and sessions of its portal, and its own bulk replays. A process of the release before refuses the
-- tokens by their form (they begin with pc_), except to sign in to the console: issue none while one runs.
ALTER TABLE "tokens"
  -- The consumer that the token is bound to; null for a token of the whole environment.
  ADD COLUMN "consumer_id" TEXT,
  -- The link that opened this session of the portal; null for other tokens.
  ADD COLUMN "portal_link_id" UUID,
  ADD CONSTRAINT "tokens_portal_is_of_consumer" CHECK ("portal_link_id" IS NULL OR ("consumer_id" IS NOT NULL AND "expires_at" IS NOT NULL)),
  ADD CONSTRAINT "tokens_consumer_fkey" FOREIGN KEY ("environment_id", "consumer_id")
    REFERENCES "consumers"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
CREATE UNIQUE INDEX "tokens_portal_link_id_key" ON "tokens" ("portal_link_id");
CREATE INDEX "tokens_of_consumers" ON "tokens" ("environment_id", "consumer_id") WHERE "consumer_id" IS NOT NULL;

-- One-time links to the portal of a consumer. The row also has what the page of the session needs, and is removed with the session.
CREATE TABLE "portal_links" (
  "id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "consumer_id" TEXT NOT NULL,
  -- SHA-256 of its code.
  "hash" BYTEA NOT NULL CONSTRAINT "portal_links_hash_length" CHECK (octet_length("hash") = 32),
  "scopes" TEXT[],
  "theme" JSONB,
  "locale" TEXT,
  "return_url" TEXT,
  -- The token of the environment that issued it, with which link and session end; null if an operator did.
  "issuer_id" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "link_expires_at" TIMESTAMPTZ(3) NOT NULL,
  -- When the session ends.
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  CONSTRAINT "portal_links_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "portal_links_consumer_fkey" FOREIGN KEY ("environment_id", "consumer_id")
    REFERENCES "consumers"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "portal_links_issuer_id_fkey" FOREIGN KEY ("issuer_id") REFERENCES "tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "portal_links_hash_key" ON "portal_links" ("hash");
CREATE INDEX "portal_links_environment_id_consumer_id_expires_at_idx" ON "portal_links" ("environment_id", "consumer_id", "expires_at");
CREATE INDEX "portal_links_issuer_id_idx" ON "portal_links" ("issuer_id");
CREATE INDEX "portal_links_expires_at_idx" ON "portal_links" ("expires_at");
ALTER TABLE "portal_links" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "portal_links_in_scope" ON "portal_links" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_portal_link_id_fkey" FOREIGN KEY ("portal_link_id") REFERENCES "portal_links"("id")
  ON DELETE CASCADE ON UPDATE CASCADE;

-- A consumer has bulk replays of its own, of its own channels. One that is open does not keep others from theirs.
ALTER TABLE "replay_batches" ADD COLUMN "consumer_id" TEXT;
DROP INDEX "replay_batches_one_open";
CREATE UNIQUE INDEX "replay_batches_one_open" ON "replay_batches" ("environment_id", (COALESCE("consumer_id", '')))
  WHERE "status" IN ('pending', 'running');

-- How the portal of an environment looks, and which pages may frame it.
ALTER TABLE "environments" ADD COLUMN "portal" JSONB NOT NULL DEFAULT '{"origins": [], "theme": null, "locale": null}';

-- Finds the months of the usage of consumers that are old enough to be removed. By an expression, so that no other statement uses it:
-- while the table is small, PostgreSQL takes it for as good as the primary key, and each look-up of a consumer reads a whole month.
CREATE INDEX "consumer_usage_months" ON "consumer_usage" (("period_start" + 0));

-- An erasure of all messages of a consumer. A worker of the release before does not clear the column, so it cannot complete such an
-- erasure: it finds none of its messages.
ALTER TABLE "erasures"
  ADD COLUMN "consumer_id" TEXT,
  DROP CONSTRAINT "erasures_recipient_while_open",
  ADD CONSTRAINT "erasures_recipient_while_open"
    CHECK (("status" = 'completed') = (num_nonnulls("recipient_email", "recipient_id", "consumer_id") = 0)
           AND num_nonnulls("recipient_email", "recipient_id", "consumer_id") <= 1);
