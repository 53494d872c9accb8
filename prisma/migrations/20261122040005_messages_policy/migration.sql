-- See 20261122040000_environments_policy.
ALTER TABLE "messages" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "messages_in_scope" ON "messages" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
