-- See 20261122040000_environments_policy.
ALTER TABLE "ordering_keys" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "ordering_keys_in_scope" ON "ordering_keys" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
ALTER TABLE "ordering_ends" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "ordering_ends_in_scope" ON "ordering_ends" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
