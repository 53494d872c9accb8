-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "plans" (
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "events_per_month" INTEGER,
    "requests_per_second" INTEGER,
    "burst" INTEGER,
    "max_payload_bytes" INTEGER,
    "max_schedule_days" INTEGER,
    "retention_days" INTEGER,
    "channel_kinds" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "tenants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "plan_code" TEXT NOT NULL,
    "billing_status" TEXT NOT NULL DEFAULT 'active',
    "grace_ends_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "environments" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tokens" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channels" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "event_keys" TEXT[] DEFAULT ARRAY['*']::TEXT[],
    "config" JSONB NOT NULL,
    "retry" JSONB NOT NULL,
    "sealed_secret" TEXT,
    "sealed_previous_secret" TEXT,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_types" (
    "environment_id" UUID NOT NULL,
    "event_key" TEXT NOT NULL,
    "description" TEXT,
    "payload_schema" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_types_pkey" PRIMARY KEY ("environment_id","event_key")
);

-- CreateTable
CREATE TABLE "template_versions" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "event_key" TEXT NOT NULL,
    "channel_kind" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "subject" TEXT,
    "html" TEXT,
    "text" TEXT,
    "body" JSONB,
    "active" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "template_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "messages" (
    "environment_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "event_key" TEXT NOT NULL,
    "recipient" JSONB NOT NULL,
    "recipient_email" TEXT,
    "payload" JSONB NOT NULL,
    "schedule_at" TIMESTAMPTZ(3),
    "request_id" TEXT,
    "trace_id" TEXT NOT NULL,
    "replay_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("environment_id","id")
);

-- CreateTable
CREATE TABLE "delivery_runs" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "channel_kind" TEXT NOT NULL,
    "template_version_id" UUID,
    "replay" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "max_attempts" INTEGER NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "scheduled_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "fence" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "error_code" TEXT,
    "error_message" TEXT,
    "retryable" BOOLEAN,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "response_status" INTEGER,
    "response_excerpt" TEXT,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "environment_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "key" UUID NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "response_status" INTEGER NOT NULL,
    "response_body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("environment_id","operation","key")
);

-- CreateTable
CREATE TABLE "tenant_usage" (
    "tenant_id" UUID NOT NULL,
    "period_start" DATE NOT NULL,
    "events_used" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "tenant_usage_pkey" PRIMARY KEY ("tenant_id","period_start")
);

-- CreateTable
CREATE TABLE "environment_usage" (
    "environment_id" UUID NOT NULL,
    "period_start" DATE NOT NULL,
    "events_used" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "environment_usage_pkey" PRIMARY KEY ("environment_id","period_start")
);

-- CreateIndex
CREATE UNIQUE INDEX "environments_tenant_id_name_key" ON "environments"("tenant_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "tokens_hash_key" ON "tokens"("hash");

-- CreateIndex
CREATE INDEX "tokens_environment_id_id_idx" ON "tokens"("environment_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "channels_environment_id_id_key" ON "channels"("environment_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "template_versions_environment_id_id_key" ON "template_versions"("environment_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "template_versions_environment_id_event_key_channel_kind_ver_key" ON "template_versions"("environment_id", "event_key", "channel_kind", "version");

-- CreateIndex
CREATE INDEX "messages_environment_id_event_key_id_idx" ON "messages"("environment_id", "event_key", "id");

-- CreateIndex
CREATE INDEX "messages_environment_id_recipient_email_id_idx" ON "messages"("environment_id", "recipient_email", "id");

-- CreateIndex
CREATE INDEX "delivery_runs_environment_id_created_at_idx" ON "delivery_runs"("environment_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_runs_environment_id_message_id_channel_id_replay_key" ON "delivery_runs"("environment_id", "message_id", "channel_id", "replay");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- AddForeignKey
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_plan_code_fkey" FOREIGN KEY ("plan_code") REFERENCES "plans"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "environments" ADD CONSTRAINT "environments_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_runs" ADD CONSTRAINT "delivery_runs_environment_id_message_id_fkey" FOREIGN KEY ("environment_id", "message_id") REFERENCES "messages"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_runs" ADD CONSTRAINT "delivery_runs_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id") REFERENCES "channels"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_runs" ADD CONSTRAINT "delivery_runs_environment_id_template_version_id_fkey" FOREIGN KEY ("environment_id", "template_version_id") REFERENCES "template_versions"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "delivery_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenant_usage" ADD CONSTRAINT "tenant_usage_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "environment_usage" ADD CONSTRAINT "environment_usage_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

