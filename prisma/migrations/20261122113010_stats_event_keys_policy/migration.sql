-- See 20261122040000_environments_policy.
ALTER TABLE "stats_event_keys" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "stats_event_keys_in_scope" ON "stats_event_keys" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
