-- See 20261122040000_environments_policy.
ALTER TABLE "template_parts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "template_parts_in_scope" ON "template_parts" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
