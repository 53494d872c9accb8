-- The session that issued a link: the link, and the session that it opens, end with it. Null if the admin token issued it.
ALTER TABLE "console_sessions" ADD COLUMN "issuer_id" UUID,
  ADD CONSTRAINT "console_sessions_issuer_id_fkey" FOREIGN KEY ("issuer_id") REFERENCES "console_sessions"("id")
    ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "console_sessions_issuer_id_idx" ON "console_sessions"("issuer_id");
