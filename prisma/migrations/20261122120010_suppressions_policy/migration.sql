-- See 20261122040000_environments_policy. "service_keys" belongs to the installation.
ALTER TABLE "suppressions" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "suppressions_in_scope" ON "suppressions" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
