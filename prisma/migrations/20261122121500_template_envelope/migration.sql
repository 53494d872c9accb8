-- Copies, headers and files of an email template; null for none, and for versions of before. No default, so that nothing is rewritten.
ALTER TABLE "template_versions" ADD COLUMN "envelope" JSONB;
