-- Layouts, partials and translations that templates share, in versions: a template version keeps in "parts" which of them
-- it is rendered with, so that what was sent stays provable. "name" of a translation is its locale.
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

-- A version that templates are pinned to never changes; only which one is active does.
CREATE TRIGGER "template_parts_immutable" BEFORE UPDATE ON "template_parts"
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'active' IS DISTINCT FROM to_jsonb(NEW) - 'active')
  EXECUTE FUNCTION "postrider_refuse_change"();

-- What a version uses, the parts that it is rendered with (null: none), and the language of recipients without one. That is
-- null in versions of before, which are rendered as ever.
ALTER TABLE "template_versions"
  ADD COLUMN "uses" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "parts" JSONB,
  ADD COLUMN "default_locale" TEXT;

ALTER TABLE "environments" ADD COLUMN "default_locale" TEXT NOT NULL DEFAULT 'en';
