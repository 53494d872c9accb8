-- Sessions of the console, and the one-time links that become one. No secret is stored: "hash" is the SHA-256 of the cookie,
-- "link_hash" that of a link's code, "admin_digest" a digest of the admin token that opened it.
CREATE TABLE "console_sessions" (
  "id" UUID NOT NULL,
  "role" TEXT NOT NULL,
  "actor" TEXT NOT NULL,
  "environment_id" UUID,
  "token_id" UUID,
  "admin_digest" BYTEA,
  "hash" BYTEA,
  "link_hash" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "console_sessions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "console_sessions_role" CHECK (
    ("role" = 'operator' AND "admin_digest" IS NOT NULL AND "environment_id" IS NULL AND "token_id" IS NULL)
    OR ("role" = 'integrator' AND "admin_digest" IS NULL AND "environment_id" IS NOT NULL AND "token_id" IS NOT NULL)),
  CONSTRAINT "console_sessions_one_secret" CHECK (("hash" IS NULL) <> ("link_hash" IS NULL)),
  CONSTRAINT "console_sessions_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "console_sessions_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "tokens"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "console_sessions_hash_key" ON "console_sessions"("hash");
CREATE UNIQUE INDEX "console_sessions_link_hash_key" ON "console_sessions"("link_hash");
CREATE INDEX "console_sessions_expires_at_idx" ON "console_sessions"("expires_at");
