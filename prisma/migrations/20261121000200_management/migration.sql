-- Who changed what through the management API, the command line or by itself. Append only: rows are never updated.
CREATE TABLE "audit_log" (
  "id" UUID NOT NULL,
  "actor" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "resource_type" TEXT NOT NULL,
  "resource_id" TEXT NOT NULL,
  "tenant_id" UUID,
  "environment_id" UUID,
  "before" JSONB,
  "after" JSONB,
  "request_id" TEXT,
  "trace_id" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "audit_log_resource_type_resource_id_id_idx" ON "audit_log" ("resource_type", "resource_id", "id");
CREATE INDEX "audit_log_tenant_id_id_idx" ON "audit_log" ("tenant_id", "id");
CREATE INDEX "audit_log_environment_id_id_idx" ON "audit_log" ("environment_id", "id");

CREATE FUNCTION "postrider_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END;
$$;

CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE ON "audit_log"
  FOR EACH ROW EXECUTE FUNCTION "postrider_refuse_change"();
