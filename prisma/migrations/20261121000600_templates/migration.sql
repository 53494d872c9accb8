-- The MJML that the HTML of an email template was compiled from, to be shown and edited again.
ALTER TABLE "template_versions" ADD COLUMN "mjml" TEXT;
ALTER TABLE "template_versions"
  ADD CONSTRAINT "template_versions_mjml" CHECK ("mjml" IS NULL OR "html" IS NOT NULL);

-- A version that runs are pinned to never changes; only which one is active does.
CREATE TRIGGER "template_versions_immutable" BEFORE UPDATE ON "template_versions"
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'active' IS DISTINCT FROM to_jsonb(NEW) - 'active')
  EXECUTE FUNCTION "postrider_refuse_change"();
