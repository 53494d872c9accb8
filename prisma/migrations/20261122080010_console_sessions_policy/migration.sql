-- See 20261122040000_environments_policy. A session of an operator belongs to no environment.
ALTER TABLE "console_sessions" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "console_sessions_in_scope" ON "console_sessions" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
