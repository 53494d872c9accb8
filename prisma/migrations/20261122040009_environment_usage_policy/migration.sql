-- See 20261122040000_environments_policy.
ALTER TABLE "environment_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "environment_usage_in_scope" ON "environment_usage" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
