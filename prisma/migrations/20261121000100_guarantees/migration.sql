-- What Prisma's schema language cannot say: legal values, states that imply fields, partial indexes, change notices.

-- Legal values (contract, sections 5 and 8).
ALTER TABLE "plans"
  ADD CONSTRAINT "plans_figures_positive" CHECK (
    "events_per_month" >= 0 AND "requests_per_second" > 0 AND "burst" > 0 AND "max_payload_bytes" > 0
    AND "max_schedule_days" >= 0 AND "retention_days" > 0),
  ADD CONSTRAINT "plans_burst_with_rate" CHECK (("requests_per_second" IS NULL) = ("burst" IS NULL)),
  ADD CONSTRAINT "plans_channel_kinds" CHECK ("channel_kinds" <@ ARRAY['email', 'webhook']);

ALTER TABLE "tenants"
  ADD CONSTRAINT "tenants_billing_status" CHECK ("billing_status" IN ('active', 'past_due', 'suspended'));

ALTER TABLE "environments"
  ADD CONSTRAINT "environments_name" CHECK ("name" ~ '^[a-z0-9][a-z0-9-]{0,62}$');

ALTER TABLE "tokens"
  ADD CONSTRAINT "tokens_hash_length" CHECK (octet_length("hash") = 32);

ALTER TABLE "channels"
  ADD CONSTRAINT "channels_kind" CHECK ("kind" IN ('email', 'webhook')),
  ADD CONSTRAINT "channels_event_keys" CHECK (cardinality("event_keys") > 0),
  -- Claims compute the lease from it: what is no whole number would keep the channel's runs from ever being taken.
  ADD CONSTRAINT "channels_timeout" CHECK (
    "config" -> 'timeout_ms' IS NULL OR ("config" ->> 'timeout_ms') ~ '^[1-9][0-9]{0,5}$');

ALTER TABLE "template_versions"
  ADD CONSTRAINT "template_versions_version" CHECK ("version" > 0),
  ADD CONSTRAINT "template_versions_content" CHECK (
    CASE "channel_kind"
      WHEN 'email' THEN "subject" IS NOT NULL AND ("html" IS NOT NULL OR "text" IS NOT NULL) AND "body" IS NULL
      WHEN 'webhook' THEN "body" IS NOT NULL AND "subject" IS NULL AND "html" IS NULL AND "text" IS NULL
      ELSE false
    END);

ALTER TABLE "delivery_runs"
  ADD CONSTRAINT "delivery_runs_kind" CHECK ("channel_kind" IN ('email', 'webhook')),
  ADD CONSTRAINT "delivery_runs_status" CHECK (
    "status" IN ('scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled')),
  ADD CONSTRAINT "delivery_runs_counts" CHECK (
    "replay" >= 0 AND "attempt_count" >= 0 AND "fence" >= 0 AND "max_attempts" > 0),
  ADD CONSTRAINT "delivery_runs_scheduled_has_time" CHECK ("status" <> 'scheduled' OR "scheduled_at" IS NOT NULL),
  ADD CONSTRAINT "delivery_runs_running_has_lease" CHECK (("status" = 'running') = ("lease_until" IS NOT NULL)),
  ADD CONSTRAINT "delivery_runs_terminal_is_completed" CHECK (
    ("status" IN ('succeeded', 'failed', 'cancelled')) = ("completed_at" IS NOT NULL));

ALTER TABLE "attempts"
  ADD CONSTRAINT "attempts_number" CHECK ("number" > 0),
  ADD CONSTRAINT "attempts_status" CHECK ("status" IN ('running', 'succeeded', 'failed', 'cancelled', 'unknown')),
  ADD CONSTRAINT "attempts_closed_is_completed" CHECK (("status" = 'running') = ("completed_at" IS NULL)),
  ADD CONSTRAINT "attempts_failure_has_code" CHECK (("status" IN ('running', 'succeeded')) = ("error_code" IS NULL)),
  ADD CONSTRAINT "attempts_error_code" CHECK ("error_code" IN (
    'scheduled_cancelled', 'webhook_http_error', 'webhook_timeout', 'webhook_connection_failed', 'webhook_dns_failed',
    'webhook_tls_failed', 'webhook_redirect_refused', 'webhook_address_blocked', 'webhook_endpoint_gone',
    'smtp_connection_failed', 'smtp_auth_failed', 'smtp_temporary_rejection', 'smtp_permanent_rejection',
    'smtp_outcome_unknown', 'template_render_failed', 'channel_disabled', 'worker_lost'));

ALTER TABLE "idempotency_records"
  ADD CONSTRAINT "idempotency_records_operation" CHECK ("operation" IN ('events.create', 'messages.replay', 'delivery-runs.cancel')),
  ADD CONSTRAINT "idempotency_records_fingerprint_length" CHECK (octet_length("fingerprint") = 32),
  ADD CONSTRAINT "idempotency_records_success_only" CHECK ("response_status" BETWEEN 200 AND 299);

ALTER TABLE "tenant_usage" ADD CONSTRAINT "tenant_usage_not_negative" CHECK ("events_used" >= 0);
ALTER TABLE "environment_usage" ADD CONSTRAINT "environment_usage_not_negative" CHECK ("events_used" >= 0);

-- At most one active version per event key and channel kind.
CREATE UNIQUE INDEX "template_versions_one_active" ON "template_versions" ("environment_id", "event_key", "channel_kind")
  WHERE "active";

-- The sweeper and a freed channel slot: what waits, per channel in the order in which it falls due.
CREATE INDEX "delivery_runs_waiting" ON "delivery_runs" ("channel_id", "due_at")
  WHERE "status" IN ('scheduled', 'queued', 'retrying');

-- The sweeper: leases that have run out.
CREATE INDEX "delivery_runs_leases" ON "delivery_runs" ("lease_until") WHERE "status" = 'running';

-- The message list filtered by a status that is the exception.
CREATE INDEX "delivery_runs_exceptions" ON "delivery_runs" ("environment_id", "message_id")
  WHERE "status" IN ('failed', 'cancelled');

-- Caches of configuration are dropped by these notices; they also live at most 5 s, so a lost notice costs no more than that.
CREATE FUNCTION "postrider_notify_config"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(COALESCE(NEW, OLD));
BEGIN
  PERFORM pg_notify('postrider_config', TG_ARGV[0] || ':' || (changed ->> TG_ARGV[1]));
  RETURN NULL;
END;
$$;

CREATE TRIGGER "plans_notify" AFTER UPDATE OR DELETE ON "plans"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('plan', 'code');
CREATE TRIGGER "tenants_notify" AFTER UPDATE OR DELETE ON "tenants"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('tenant', 'id');
CREATE TRIGGER "environments_notify" AFTER UPDATE OR DELETE ON "environments"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('environment', 'id');
CREATE TRIGGER "tokens_notify" AFTER UPDATE OF "expires_at", "revoked_at" OR DELETE ON "tokens"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('environment', 'environment_id');
CREATE TRIGGER "channels_notify" AFTER INSERT OR UPDATE OR DELETE ON "channels"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('environment', 'environment_id');
CREATE TRIGGER "event_types_notify" AFTER INSERT OR UPDATE OR DELETE ON "event_types"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('environment', 'environment_id');
CREATE TRIGGER "template_versions_notify" AFTER INSERT OR UPDATE OR DELETE ON "template_versions"
  FOR EACH ROW EXECUTE FUNCTION "postrider_notify_config"('environment', 'environment_id');
