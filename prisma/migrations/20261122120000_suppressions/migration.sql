-- Addresses that an environment sends nothing to. "address_hash" is a keyed hash, and stays when the address is erased;
-- "sealed_address" is the address for operators, or null. The key is in "service_keys", sealed with the first of ENCRYPTION_KEYS
-- (docs/decisions/0042-suppressed-addresses-are-found-by-a-keyed-hash.md).
CREATE TABLE "service_keys" (
  "name" TEXT NOT NULL,
  "sealed" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "service_keys_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "suppressions" (
  "id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "address_hash" BYTEA NOT NULL,
  "sealed_address" TEXT,
  "scope" TEXT NOT NULL,
  "reason" TEXT,
  "source" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "suppressions_address_hash_length" CHECK (length("address_hash") = 32),
  CONSTRAINT "suppressions_source" CHECK ("source" IN ('hard_bounce', 'complaint', 'unsubscribe', 'manual', 'import')),
  CONSTRAINT "suppressions_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Each claim of an email looks here, first for the environment alone.
CREATE UNIQUE INDEX "suppressions_environment_id_address_hash_scope_key"
  ON "suppressions"("environment_id", "address_hash", "scope");
CREATE INDEX "suppressions_environment_id_id_idx" ON "suppressions"("environment_id", "id");

-- No default that is computed, so that nothing is rewritten. A stream of null is transactional.
ALTER TABLE "event_types" ADD COLUMN "stream" TEXT;
ALTER TABLE "messages" ADD COLUMN "stream" TEXT, ADD COLUMN "ignore_suppression" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "tokens" ADD COLUMN "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];
