-- See 20261122040000_environments_policy.
ALTER TABLE "sender_states" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "sender_states_in_scope" ON "sender_states" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
