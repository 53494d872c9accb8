-- See 20261122040000_environments_policy.
ALTER TABLE "channel_limit_states" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "channel_limit_states_in_scope" ON "channel_limit_states" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
