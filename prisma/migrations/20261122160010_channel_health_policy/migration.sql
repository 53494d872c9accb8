-- See 20261122040000_environments_policy.
ALTER TABLE "channel_health" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "channel_health_in_scope" ON "channel_health" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
