-- See 20261122040000_environments_policy.
ALTER TABLE "run_feedback" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "run_feedback_in_scope" ON "run_feedback" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
